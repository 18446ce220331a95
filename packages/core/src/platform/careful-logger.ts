/**
 * A logger that never fails: what the given one throws or rejects with has no consequence but one warning of the process. Without one
 * nobody is told.
 * @param name that of the option
 */
export function carefulLogger<Event>(
  logger: ((event: Event) => void) | undefined,
  name = "logger",
): (event: Event) => void {
  if (logger === undefined) return () => undefined;
  let hasWarned = false;
  const warn = (error: unknown): void => {
    if (hasWarned) return;
    hasWarned = true;
    const reason = error instanceof Error ? error.message : "what it threw is no error";
    process.emitWarning(`The ${name} given to Loredex failed (told once): ${reason}`);
  };
  return (event) => {
    try {
      const result: unknown = logger(event);
      // A rejection that nobody catches would end the process.
      if (typeof result === "object" && result !== null) Promise.resolve(result).catch(warn);
    } catch (error) {
      warn(error);
    }
  };
}
