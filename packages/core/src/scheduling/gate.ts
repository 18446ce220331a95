/** A promise that others await, with the function that resolves it. */
export interface Gate {
  readonly passed: Promise<void>;
  /** Resolves `passed`. Idempotent. */
  readonly open: () => void;
}

/** Makes a closed gate. */
export function gate(): Gate {
  let open = (): void => undefined;
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open };
}
