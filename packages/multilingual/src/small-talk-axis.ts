/** Made by `tools/encoder/small-talk` with the model of this version. */
export const SMALL_TALK_AXIS_OF = "0e235f7ae451";

/** The direction of small talk: one signed byte for each dimension. */
export const SMALL_TALK_AXIS =
  "YRHX6S7D2tsL/+MMCyUZ4vL6/xP42hnoJhwaGBfo8g0cCAzxWTn85tcC4vX6G1EuEeXpHRwTy/gK/Nz5PBAT6vQI7tre5yIEGPMF6vYr8tX/8yroiO3sOvgaF+E58+rqGewZE7v9Peb/Aij2gSzy3zAZ9Anp9rMDOxhX9Qii9Pc9+ikQ5hn+Ihb+3issDPcH8AXqBuzb9fcT4tT19dIDESrU1+TE2PwCAfAX9wsH1S4yzvMHKv8x/tDmEQa/ABQYE+YJBRflGagG+xDRqQjUxd9ABMn2B/Mx/SUGHSD/CvQcFucG8s8GGhLIEBDd+OAWKfb+EiPE2usZDggJAOTJMg4x8AwPI/rj9QvuElXkCvQMAtUY0xXW8yUJKRw6Ig7jC/PmYu7uBQk/+wAb/eUX8ubnBgC01iEDI+ju8dD1zf8H1yv95D74HP8eDwr3AswA+uUk+Q3j3v/oOi/C9EP++AX1DQAF/ArxLAkQEM0r7ur8IQgQ5Apo9Q==";
