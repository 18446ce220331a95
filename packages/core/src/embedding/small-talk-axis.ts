/** Made by `tools/encoder/small-talk` with the model of this version. */
export const SMALL_TALK_AXIS_OF = "385632645ccf";

/** The direction of small talk: one signed byte for each dimension. */
export const SMALL_TALK_AXIS =
  "gSuy6gQKIA4sAkMlKhnRwAPd8vYPN/4K3g/lEAtQOBQX7urxMQ/2CAgPHRDhPfHN69cF9MQABAUA8Rb3BgQh0BzyRsYc3wQr0QsIHvoJK+sUtPMaAfgI6vUj/gHiDw4Lxf8aEMTzFAQF7fwA59IR/CXNAz4Q/RD+8fTX9OAH6BoDOOMj+QPqExP0Erzi7O4GAhYuBAPy7Rsb5fT+9h0O7yIJ9ww2/Qve9/AD3/n3FA0W8AoD8gAGAiD99ift/+IN9gHv5AvxC/j4Cgfg/ggV6/jp7+nx5fAIKf//Fh0Y+Q0N9AHZ6ffn+QrmF+7vIQbq/fAQ/vYKAu79AvXsBv765A==";
