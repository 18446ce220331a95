import type { VerifyReport } from "@loredex/core";
import { oneLine } from "../terminal/terminal.ts";

type Problem = VerifyReport["stores"][number]["problems"][number];

/** A damaged place, as a line. */
export function problemLine({ file, offset, sequence, reason, isDerived }: Problem): string {
  const mend =
    isDerived === true
      ? "; it is made again by the next start or question that needs it, and nothing is lost by it"
      : "";
  return `${oneLine(file)}: byte ${offset}, record ${sequence}: ${oneLine(reason)}${mend}\n`;
}
