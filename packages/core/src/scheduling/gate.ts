/** Those who wait at it go on when somebody opens it. */
export interface Gate {
  readonly passed: Promise<void>;
  /** More than once is no more than once. */
  readonly open: () => void;
}

export function gate(): Gate {
  let open = (): void => undefined;
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open };
}
