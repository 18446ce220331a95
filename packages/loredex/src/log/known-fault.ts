import { EmbedderError, LoredexError } from "@loredex/core";

/** What was thrown on purpose, or is the system's word, says itself what is wrong; of all else it must be seen where it comes from. */
export function isKnownFault(error: Error): boolean {
  if (error instanceof LoredexError) return error.code !== "INTERNAL";
  return error instanceof EmbedderError || "syscall" in error;
}
