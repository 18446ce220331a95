/** What one scrape had: the value of every series, by its name and labels as they stand. */
export type Scrape = ReadonlyMap<string, number>;

export function parsed(text: string): Scrape {
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.slice(line.lastIndexOf(" ") + 1))]),
  );
}

/** The values of a metric at a scrape, by one label. */
export function by(scrape: Scrape, metric: string, label: string): Map<string, number> {
  const sums = new Map<string, number>();
  for (const [series, value] of scrape) {
    if (!series.startsWith(`${metric}{`)) continue;
    const name = new RegExp(`[{,]${label}="([^"]*)"`).exec(series)?.[1] ?? "";
    sums.set(name, (sums.get(name) ?? 0) + value);
  }
  return sums;
}

/** A quantile of what a histogram was told between two scrapes, as Prometheus estimates it: within a bucket all lies evenly. */
export function quantile(share: number, metric: string, before: Scrape, after: Scrape): number {
  const old = by(before, `${metric}_bucket`, "le");
  const counts = [...by(after, `${metric}_bucket`, "le")]
    .map(([le, count]) => [le === "+Inf" ? Number.POSITIVE_INFINITY : Number(le), count - (old.get(le) ?? 0)] as const)
    .sort(([a], [b]) => a - b);
  const wanted = share * (counts.at(-1)?.[1] ?? 0);
  let [edge, below] = [0, 0];
  for (const [le, count] of counts) {
    if (count >= wanted && count > below)
      return le === Number.POSITIVE_INFINITY ? edge : edge + ((le - edge) * (wanted - below)) / (count - below);
    [edge, below] = [le, count];
  }
  return 0;
}
