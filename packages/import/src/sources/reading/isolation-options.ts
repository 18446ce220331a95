import type { IsolationOptions } from "../../isolated/convert-isolated.ts";
import type { KeptOptions } from "./settings.ts";

/** Returns the limits for one file from the options of an import. */
export function isolationOf({ fileMemoryBytesMax: memory, fileSecondsMax: seconds }: KeptOptions): IsolationOptions {
  return {
    ...(memory === undefined ? {} : { memoryBytesMax: memory }),
    ...(seconds === undefined ? {} : { secondsMax: seconds }),
  };
}
