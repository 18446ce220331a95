/**
 * Shares one instance of something large and immutable while any caller holds it, and opens it again when nobody does. After a failed
 * opening, the next caller tries again.
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
