/**
 * Opens something large that does not change once for all who ask while any of them holds it, and anew when nobody does. What could not be
 * opened is tried again by the next one.
 */
export function sharedWhileHeld<T extends object>(open: () => Promise<T>): () => Promise<T> {
  let held: WeakRef<T> | undefined;
  let opening: Promise<T> | undefined;
  const openAndKeep = async (): Promise<T> => {
    try {
      const opened = await open();
      held = new WeakRef(opened);
      return opened;
    } finally {
      opening = undefined;
    }
  };
  return async () => {
    const there = held?.deref();
    if (there !== undefined) return there;
    opening ??= openAndKeep();
    return opening;
  };
}
