/**
 * Wraps a logger so that it never fails: an error or rejection of it only causes one warning of the process. Without a logger,
 * events are dropped.
 * @param name name of the option
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
      // An unhandled rejection would end the process.
      if (typeof result === "object" && result !== null) Promise.resolve(result).catch(warn);
    } catch (error) {
      warn(error);
    }
  };
}
