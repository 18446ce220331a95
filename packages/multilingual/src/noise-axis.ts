/** Made by `tools/encoder/noise` with the model of this version. */
export const AXIS_OF_VERSION = "0e235f7ae451";

/** The direction of meaningless questions: one signed byte for each dimension. */
export const NOISE_AXIS =
  "/xoVKi0V9P87zsra7r7eODEBAtIS2gTy6dopCOPcCvQfUONWHnsL4t3z6SHDTgoA1dnaCQiz6Ki2+/fzEhWuRvT5ORrhIQch8BfvKPEHC9Qi8CwDs/MUFuBFNL4c29TcCtHuFT+h8t7mveTm50DlXgHx4e0eJAGBL1cSPL8S6yMN7w4X7/r8QAwWXdojDhom/yMDHg397BUy4dP8AqDwJtAW4CkdKRoE5w3iBQESq+cx1LYTLeIT6x3i/Rm+/+wyNgcOEALtBw1pDt2/xvAy8Q3iEM0B/OQVLyDXKNK+BEoCLafbAOkOCb0+ISLqCvj2Nf/4ywzVEM/L7zO6VdC+S3A1LcMk6NYDzfE8K90xN+YSKgub4+4R+APVGvcgRPMkz9Tc8PWyzd4OkBQaTMvQ9hUP79wZKuxAX+kN5d/45PLy3/0e/hwP8yEZxjXw4N7p0K8PIf34Duw4JTkT5ugzHN81L+3d9fcdKh0CEjY32hUTAdT8JCsx9A==";
