/** Made by `tools/encoder/small-talk` with the model of this version. */
export const SMALL_TALK_AXIS_OF = "0e235f7ae451";

/** The direction of small talk: one signed byte for each dimension. */
export const SMALL_TALK_AXIS =
  "ZhPW6jXE3tgKA+MLCSUa5O79/RD74BTqIxobGxTp8wwXBAzwUzP549cB4vT9HVIsFOfsGh0Sy/wH+976Pg8T5/YD7t7h5yMDFvQC5/cr8tcA8Srmi+zvN/cYF+I19+3sFO4cE8P8Qen8Aib2gSr13y8Z8gjo87QCPBlW+Ael9vg3/icQ5BP+IBf+3ScrCfkK7gPuBfHg9fgT49r59NIEESzS1+TG2/4BBPIX9wgG1ywvzfIHKQAz/8/nEwzEABIXD+UIAxnjGK8J+xPWsAjZxeBAAc36BvUu+yEKHx38CPMaGOkB8NEEFhDLEBHe+OMUKvz6FB3E2PAWDgcIAeXNNQ8x8QwPJPrm9Q3xEVTnCfEM/9gX1RbX8iQHKRo4Ig3hDfHlWfDvBgc9/gAbAOMW8ebpCf+01h0EH+nw7tX50P0E2yn76TzxEQQYEQb4/8n6/ugf/Azn2v7oNyvB8kD++Qb2CwAC/AbwKAkSEM0t8Or6JQoS5gxn9g==";
