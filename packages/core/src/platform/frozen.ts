/**
 * The same value, which nobody can change any more: what is given away is what the engine itself works on. Plain data only. What is
 * frozen was frozen here, with all that it holds, so a second time costs nothing.
 */
export function frozen<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  for (const child of Object.values(value)) frozen(child);
  return Object.freeze(value);
}
