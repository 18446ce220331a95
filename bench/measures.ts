/** Measures of a ranking against judgements. */

/** nDCG@k with linear gains: Σ gain / log2(rank + 1), divided by the same sum of the ideal ranking (Järvelin, Kekäläinen 2002). */
export function normalizedDiscountedGain(
  ranking: readonly string[],
  gains: ReadonlyMap<string, number>,
  k = 10,
): number {
  const ideal = discountedGain(
    [...gains.values()].sort((a, b) => b - a),
    k,
  );
  return ideal === 0
    ? 0
    : discountedGain(
        ranking.map((id) => gains.get(id) ?? 0),
        k,
      ) / ideal;
}

function discountedGain(gains: readonly number[], k: number): number {
  return gains.slice(0, k).reduce((sum, gain, i) => sum + gain / Math.log2(i + 2), 0);
}

/** 1 / rank of the first relevant document among the first k; 0 if there is none. */
export function reciprocalRank(ranking: readonly string[], gains: ReadonlyMap<string, number>, k = 10): number {
  const at = ranking.slice(0, k).findIndex((id) => (gains.get(id) ?? 0) > 0);
  return at < 0 ? 0 : 1 / (at + 1);
}

/** Share of the relevant documents that are among the first k. */
export function recall(ranking: readonly string[], gains: ReadonlyMap<string, number>, k: number): number {
  const relevant = [...gains].filter(([, gain]) => gain > 0).map(([id]) => id);
  const found = new Set(ranking.slice(0, k));
  return relevant.length === 0 ? 0 : relevant.filter((id) => found.has(id)).length / relevant.length;
}

export function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** The value below which this share (0 to 1) of the values lie. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
