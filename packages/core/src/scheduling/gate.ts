/** A promise that others await, with the function that resolves it. */
export interface Gate {
  readonly passed: Promise<void>;
  /** Resolves `passed`. Idempotent. */
  readonly open: () => void;
}

export function gate(): Gate {
  let open = (): void => undefined;
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open };
}
