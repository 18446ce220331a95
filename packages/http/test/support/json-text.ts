/** A value as JSON that is taken: numbers with more digits than are kept are written as measures, with an exponent. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === "number" && Math.abs(inner) > Number.MAX_SAFE_INTEGER ? inner * 1e30 : inner,
  );
}
