/** Made by `tools/encoder/small-talk` with the model of this version. */
export const SMALL_TALK_AXIS_OF = "b22559de81a8";

/** The direction of small talk: one signed byte for each dimension. */
export const SMALL_TALK_AXIS =
  "gUuz9/f4QAEV8kkgR/rMvP38JOgjOfcG3f/h8xwtNSYxAOfyI+bSA+IFAwHhPAb6BuoV8d8J8yAWDgXnEQwuzg4NNtQp1AsV0PQHKiP4KvET2vUuBvjtGegA/hzyFgUhxPUSFbriBAQA5wID4en+HBm2/CXd9gL77Oj4GgEB9SnsHPhA/OoBJvkHELkM3PcK9x0T/AQH6vcQ9wf89QMQyRIJCu4w/gD3E/H92wL0IQcf5h34/Obl6QPe4Svu9/T10wbbAyXpBwIfCifi6ukb6PbsAdX+7/DkEh73BSEg5/bg/f0V+/Ts5uPt/dXs7h3pBAX0DvQECfcRywjsFunz7Q==";
