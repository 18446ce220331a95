import type { NgramTable } from "../../packages/core/src/analysis/ngram-table.ts";

/** What eld gives a score to: its n-grams, by language. */
interface EldData {
  readonly languages: Readonly<Record<string, string>>;
  readonly ngrams: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

/** The files of eld that hold its data; it gives out none of them by name. */
const FILES = new URL("../../node_modules/eld/src/", import.meta.url);

/** The table of eld's size `small`, with bytes in place of the signs that it has for those beyond ASCII. */
export async function eldTable(): Promise<NgramTable> {
  const { ngramsData }: { ngramsData: EldData } = await import(new URL("ngrams/small.js", FILES).href);
  const { avgScore }: { avgScore: Readonly<Record<string, number>> } = await import(new URL("avgScore.js", FILES).href);
  const { dictionary }: { dictionary: readonly string[] } = await import(new URL("dictionary.js", FILES).href);
  const byteOf = new Map(dictionary.map((sign, byte) => [sign, byte] as const).filter(([, byte]) => byte > 127));
  const numberOf = (ngram: string): number => {
    let number = 0;
    for (const sign of ngram)
      number = number * 256 + (/[a-z'` ]/.test(sign) ? sign.charCodeAt(0) : byteIn(byteOf, sign));
    return number;
  };
  const entries = Object.entries(ngramsData.ngrams).map(([ngram, scores]) => ({ number: numberOf(ngram), scores }));
  entries.sort((a, b) => a.number - b.number);
  const pairs = entries.map(({ scores }) =>
    Object.entries(scores).flatMap(([language, score]) => [Number(language), score]),
  );
  const starts = new Uint32Array(entries.length + 1);
  for (const [i, own] of pairs.entries()) starts[i + 1] = (starts[i] ?? 0) + own.length;
  const tags = Object.values(ngramsData.languages);
  return {
    languages: tags.map((tag) => ({ tag, averageScore: avgScore[tag] ?? 0 })),
    ngrams: Float64Array.from(entries, ({ number }) => number),
    starts,
    pairs: Uint8Array.from(pairs.flat()),
  };
}

function byteIn(byteOf: ReadonlyMap<string, number>, sign: string): number {
  const byte = byteOf.get(sign);
  if (byte === undefined) throw new Error(`eld has no byte for ${JSON.stringify(sign)}.`);
  return byte;
}
