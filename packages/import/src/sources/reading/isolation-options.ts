import type { IsolationOptions } from "../../isolated/convert-isolated.ts";
import type { KeptOptions } from "./settings.ts";

/** What one file may cost, as the options of an import say it. */
export function isolationOf({ fileMemoryBytesMax: memory, fileSecondsMax: seconds }: KeptOptions): IsolationOptions {
  return {
    ...(memory === undefined ? {} : { memoryBytesMax: memory }),
    ...(seconds === undefined ? {} : { secondsMax: seconds }),
  };
}
