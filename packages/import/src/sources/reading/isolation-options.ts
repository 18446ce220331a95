import { ValidationError } from "@loredex/core";
import type { IsolationOptions } from "../../isolated/convert-isolated.ts";
import { CONVERSION_MEMORY_BYTES_MAX, CONVERSION_MEMORY_BYTES_MIN, CONVERSION_SECONDS_MAX } from "../../limits.ts";
import type { KeptOptions } from "./settings.ts";

/** What one file may cost, as the options of an import say it. @throws ValidationError */
export function isolationOf({ fileMemoryBytesMax, fileSecondsMax }: KeptOptions): IsolationOptions {
  const [memory, seconds] = [fileMemoryBytesMax, fileSecondsMax];
  requireRange("fileMemoryBytesMax", memory, [CONVERSION_MEMORY_BYTES_MIN, CONVERSION_MEMORY_BYTES_MAX]);
  requireRange("fileSecondsMax", seconds, [1, CONVERSION_SECONDS_MAX]);
  return {
    ...(memory === undefined ? {} : { memoryBytesMax: memory }),
    ...(seconds === undefined ? {} : { secondsMax: seconds }),
  };
}

/** @throws ValidationError */
function requireRange(field: string, value: number | undefined, [least, most]: readonly [number, number]): void {
  if (value === undefined || (Number.isInteger(value) && value >= least && value <= most)) return;
  const message = `${field} is a whole number from ${least} to ${most}`;
  throw new ValidationError([{ message, field, type: "range" }]);
}
