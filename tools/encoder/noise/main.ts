import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { openMultilingual } from "@loredex/multilingual";
import { CachedEmbedder } from "../../../bench/bots/cached-embedder.ts";
import { drawBy } from "../../../bench/corpora/noise-text.ts";
import { percentile } from "../../../bench/measuring/measures.ts";
import { type RealText, type Sample, samplesOf } from "./samples.ts";
import { along, axisCodes, type Judged, separatingAxis } from "./separate.ts";

/**
 * Finds the direction in which the vectors of questions lie that mean nothing, by the shipped model: main.ts TEXTS, which `multilingual/questions.py`
 * has written. Writes `packages/multilingual/src/noise-axis.ts`, and says how well it tells noise from texts that took no part.
 */

const OUT = fileURLToPath(new URL("../../../packages/multilingual/src/noise-axis.ts", import.meta.url));
/** Every so-manieth text takes no part. */
const HELD_BACK_STEP = 10;
const AT_ONCE = 32;

/** Words of all subjects are worth more than help pages, which have one; invented words may be names. */
const WEIGHTS: Readonly<Record<string, number>> = { words: 2, invented: 0.5 };

type Read = Sample & Judged;

const [path = ""] = process.argv.slice(2);
const texts = readFileSync(path, "utf8").trimEnd().split("\n");
const samples = samplesOf(
  texts.map((line): RealText => JSON.parse(line)),
  drawBy(1),
);
const embedder = new CachedEmbedder(await openMultilingual());
const read: Read[] = [];
for (let i = 0; i < samples.length; i += AT_ONCE) {
  const portion = samples.slice(i, i + AT_ONCE);
  const vectors = await Promise.all(portion.map(({ text }) => embedder.embedQuery(text)));
  for (const [at, sample] of portion.entries())
    read.push({
      ...sample,
      isOfKind: sample.isNoise,
      weight: WEIGHTS[sample.kind] ?? 1,
      vector: vectors[at] ?? new Float32Array(),
    });
}
await embedder.close();

const axis = separatingAxis(read.filter((_, i) => i % HELD_BACK_STEP !== 0));
writeFileSync(
  OUT,
  `/** Made by \`tools/encoder/noise\` with the model of this version. */
export const AXIS_OF_VERSION = "${embedder.version}";

/** Where questions lie that mean nothing: a direction, one signed byte a dimension. */
export const NOISE_AXIS =
  "${axisCodes(axis)}";
`,
);

const heldBack = read.filter((_, i) => i % HELD_BACK_STEP === 0);
for (const kind of [...new Set(samples.map((sample) => sample.kind))]) {
  const values = heldBack.filter((sample) => sample.kind === kind).map(({ vector }) => along(axis, vector));
  const shares = [0.01, 0.05, 0.5, 0.95, 0.99].map((share) => percentile(values, share).toFixed(3));
  console.log(kind, values.length, shares.join(" "));
}
