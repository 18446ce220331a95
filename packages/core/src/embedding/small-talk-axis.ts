/** Made by `tools/encoder/small-talk` with the model of this version. */
export const SMALL_TALK_AXIS_OF = "385632645ccf";

/** The direction of small talk: one signed byte for each dimension. */
export const SMALL_TALK_AXIS =
  "gTuR8CARIRsYBFw7NgfEyfPq7AMHMQME3RjRCQVWRQv/3ezmOBwK/Q0BIRnwUe673scD+MbsCfcX3iL9CgIcvRzmTbEd4vkt0wsNIwkMNOcdrPEd9vgY5e8qDwDLCvwVuw0gHsjrBxgA4QLz49MW8ybECUkI/wz76vDY9NQB4CQAN84p+wLkGBjuF6Xj4PUH+wg+BAHn7R0h2ub68iwR5ikTAAtB9AXa9vb62P71DQoU8QsF9P8NChD48SjqBtgX7fnj7BD6DPXsAAfX+QIl+Pzg8uz54+4NKwT+Fxsd+hIS7gLT4vXX/wjfIfrqIgTs7+oI+u0K9/T9AfDwEPv55Q==";
