export { beginning } from "./beginning.js";
export { readManifest, readModelFile } from "./model-files.js";
export { serveEncoder } from "./serve.js";
export { readFloats } from "./vectors.js";
