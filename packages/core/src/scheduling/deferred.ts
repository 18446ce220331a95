/** A promise with the function that resolves it, as `Promise.withResolvers` of newer Nodes makes it. */
export interface Deferred {
  readonly promise: Promise<void>;
  /** Resolves the promise. Idempotent. */
  readonly resolve: () => void;
}

/** Makes a promise that its holder resolves. */
export function deferred(): Deferred {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
