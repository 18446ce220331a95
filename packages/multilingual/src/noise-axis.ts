/** Made by `tools/teacher/noise` with the model of this version. */
export const AXIS_OF_VERSION = "0e235f7ae451";

/** Where questions lie that mean nothing: a direction, one signed byte a dimension. */
export const NOISE_AXIS =
  "7R8MSBow9vQ44bjc46PYOjAUBckQ4v/s3sciC87dBOMnQttZCWT92ePm7irARvbwyPbc/w+h4J69AfvhHxisOvgBPiPpIwgk4wzeL/0SFNYi4S4Gu/YCEeU3IsYL8+LlCd7TEkqv9eftze3r9UX2Vf3l9usfGPaBKF4AQ8Ac7TgOBQEm5fjlQwobVsgk/Bo/DAELFgwD+hYs5OT4Ap36Jr8Z5TosPCUP7QLwCQYKyuMP27gMMOgS6yzrCw/Q/+wzL+8ZGAv5BiRg/+LPxPMs+RL4ErsJ+u4aHx3lOtDE+EDlPq7YAuoMErw7JB7qBgLwMBIIzx3aFr3D9SamTNq/Rm8wJcIh5Nj50P5EIuA2M9oNMwSP6+0OAhfaC/kpSAU5x9vd0f2XxtkIoR8bSLzS8gsb/NsaL/E7UeoU5+369eru6fQmEx0C4x4SuSEN0Ofg0LUVLBPzD+oqGTwQ28ovFtgtOOjcAO8nHBkFEiUv6yEhAeT+DCMj7w==";
