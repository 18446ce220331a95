/** Made by `tools/encoder/small-talk` with the model of this version. */
export const SMALL_TALK_AXIS_OF = "0e235f7ae451";

/** The direction of small talk: one signed byte for each dimension. */
export const SMALL_TALK_AXIS =
  "aRLU6jbD3tcLAeILCSUZ5vD7/w/73xbqJBsaGxPp9A0VBAvyUjL549YD4vP8HFEuE+bqGx0Ryf0J/eD5QA8T5fYF69/i5iMFGPMC5/cs8tYB8Svoi+3uOPgYFOM29uzqE+8bE8H8Q+j+ASf2gSr23y8Y8wnq87QBPhlW9wem9vc4/CYQ5RP9Hhf93CgrCfoK7gLsBfDf9fkT49r589IEECzS2eXG2f8BA/IZ+QYF1ywwz/IHKQEz/dDkEwvFABEXD+YIAxrmF68K+xHXrwjYxd8/Acz5BvMu+yEKHR3+CPQbF+f/8tIEFRHKDxDf+eIXKfr6Ex3E1+8XDggJ/+jONA4y8AsOJfro9gvyEFXoCvIN/9kT1RTZ8ycIKBo5IQzfDPHnWe7vBgg8//8b/+MX8eXoCP6z1B0EIOnv7db40v4F2yr76TzzEwQZDgb3/8j8/ece/Qzp2//nNynC8j/8+Qb3C/8C/QbvKQkREM8s8ur6JAoS5Qpo9Q==";
