import { fileURLToPath } from "node:url";

export const MODEL_DIRECTORY = fileURLToPath(new URL("../model/", import.meta.url));
