import { useEffect, useState } from "preact/hooks";

/**
 * A value as it was when it last stayed the same for `ms` milliseconds: not each key asks the server.
 * @param key what changes with it. Default: the value itself
 */
export function useSettled<Value>(value: Value, ms: number, key: unknown = value): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [key]);
  return settled;
}
