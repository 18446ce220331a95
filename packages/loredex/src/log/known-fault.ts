import { EmbedderError, LoredexError } from "@loredex/core";

/** Whether an error explains itself: it was thrown on purpose, or comes from the system. Any other error needs its stack. */
export function isKnownFault(error: Error): boolean {
  if (error instanceof LoredexError) return error.code !== "INTERNAL";
  return error instanceof EmbedderError || "syscall" in error;
}
