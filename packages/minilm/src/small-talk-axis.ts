/** Made by `tools/encoder/small-talk` with the model of this version. */
export const SMALL_TALK_AXIS_OF = "b22559de81a8";

/** The direction of small talk: one signed byte for each dimension. */
export const SMALL_TALK_AXIS =
  "gUul8fP7RAgH8E0gR//Nt/r5JOcjRPMP6Prf8CUrOCot/OHrJubZCd8GCgPjPAT7C+Uc8+EN7h0TDgjmDwQryxQIN80s0A4XyvgIHyf3KO0Z1/8rCvXnF+37ACDwGAYkyfQRGLzi/v8A3wYC3u3/GBHAACjh8wX37ev9GwIB9ifyFfNC/OkCKfQGD7ET2vUT9hoV9gME6/IN+wH+7w4Tyg0BCuow+wTyD/X+2wD5IgYg6CD0BeLu7gLe3ifz+u/v1wXSCibrCfsdDi3m6OUf7PjoBNr/8ezmESTz/xog6/vg/wUQ/Prs6Obu/Nft8hTp/vzwD+4MCfgQzAnsHun07w==";
