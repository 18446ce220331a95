export { readManifest, readModelFile } from "./model-files.js";
export { readFloats } from "./rotation.js";
export { serveEncoder } from "./serve.js";
