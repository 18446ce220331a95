import { ValidationError } from "@loredex/core";
import { CONVERSION_MEMORY_BYTES_MAX, CONVERSION_MEMORY_BYTES_MIN, CONVERSION_SECONDS_MAX } from "../../limits.ts";
import { FOLLOW_DEPTH_MAX, PAGES_MAX, REQUESTS_A_SECOND_MAX } from "../../web/limits.ts";
import type { KeptOptions } from "./settings.ts";

type NumberName = "follow" | "pagesMax" | "requestsPerSecond" | "fileMemoryBytesMax" | "fileSecondsMax";

const RANGES: Readonly<Record<NumberName, readonly [least: number, most: number, whole: boolean]>> = {
  follow: [0, FOLLOW_DEPTH_MAX, true],
  pagesMax: [1, PAGES_MAX, true],
  requestsPerSecond: [0.01, REQUESTS_A_SECOND_MAX, false],
  fileMemoryBytesMax: [CONVERSION_MEMORY_BYTES_MIN, CONVERSION_MEMORY_BYTES_MAX, true],
  fileSecondsMax: [1, CONVERSION_SECONDS_MAX, true],
};

/** What is wrong with the numbers among the settings. @throws ValidationError */
export function requireSettings(settings: KeptOptions): void {
  for (const name of Object.keys(RANGES) as NumberName[]) {
    const value = settings[name];
    const [least, most, isWhole] = RANGES[name];
    if (value === undefined || (value >= least && value <= most && (!isWhole || Number.isInteger(value)))) continue;
    const message = `${name} is a ${isWhole ? "whole number" : "number"} from ${least} to ${most}`;
    throw new ValidationError([{ message, field: name, type: "range" }]);
  }
}
