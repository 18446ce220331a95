/**
 * The program of a worker process of the multilingual model. Plain JavaScript, so that it starts in the same way from the sources and from the build. Argument:
 * the model's directory.
 */
import { serveEncoder } from "@loredex/encoder/worker";
import { openInput } from "./worker/input.js";

serveEncoder("@loredex/multilingual", openInput);
