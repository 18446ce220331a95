import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Bot, Engine } from "@loredex/core";
import { openHashed } from "../bots/hashed-embedder.ts";
import { unlimitedBot, whenGraphIsReady } from "../bots/unlimited-bot.ts";
import { withCorpus, withRealPages } from "../corpora/corpus.ts";
import { documentsIn, questionsIn } from "../corpora/corpus-files.ts";
import type { Corpus } from "../corpora/corpus-shape.ts";
import { dataIsThere } from "../corpora/judged-sets.ts";
import type { BenchOptions } from "../measuring/bench-options.ts";
import { type AskedTimes, inTurn } from "../measuring/in-turn.ts";
import { type Aim, report } from "../measuring/report.ts";

/**
 * How much longer a question of best quality takes by its reranking: the same bot three times in one process, asked alternately. One does not rerank, one has all token
 * codes in memory, and one has none there, so that every question reads them from the disk. Vectors are the static embedder's and tokens a hash of each word: what is
 * measured is the search, not an encoder.
 */
export async function rerankCost(options: BenchOptions): Promise<void> {
  if (!dataIsThere()) return;
  const { short, sizes = [20_000] } = options;
  const rows: RerankRow[] = [];
  const aims: Aim[] = [];
  const measure = async (texts: string, corpus: Corpus): Promise<void> => {
    const { times, tokenCodeBytes } = await timesOf(corpus);
    const [without] = times;
    const more = ({ medianMs }: AskedTimes): number => medianMs - (without?.medianMs ?? 0);
    for (const [i, each] of times.entries()) {
      const { way, aim } = WAYS[i] ?? {};
      rows.push({
        texts,
        passages: corpus.passages,
        "token codes": way,
        "median µs": each.medianMs * 1_000,
        "p99 µs": each.p99Ms * 1_000,
        "token codes MB": i === 0 ? 0 : tokenCodeBytes / 1e6,
        "median × without": each.medianMs / (without?.medianMs ?? 0),
      });
      if (aim === undefined) continue;
      aims.push({ what: `${texts}: ms more with token codes ${way}`, measured: more(each), aim, is: "at most" });
    }
  };
  for (const size of short ? [300] : sizes) {
    await withCorpus(size, short ? 20 : 1_000, (corpus) => measure("articles of an encyclopaedia", corpus));
  }
  await withRealPages(short, (corpus) => measure("a real bot", corpus));
  report(options, rows, aims);
}

interface RerankRow {
  readonly texts: string;
  readonly passages: number;
  readonly "token codes": string | undefined;
  readonly "median µs": number;
  readonly "p99 µs": number;
  readonly "token codes MB": number;
  readonly "median × without": number;
}

/** The times of each way, and what token codes take on the disk. */
interface Measured {
  readonly times: readonly AskedTimes[];
  readonly tokenCodeBytes: number;
}

/** The first one is what the others are compared with. It deletes the token codes of its directory. */
const WAYS = [
  { way: "none", opened: { rerank: false }, aim: undefined },
  { way: "in memory", opened: { rerankMemoryBytes: 4_000_000_000 }, aim: 1 },
  { way: "on the disk", opened: { rerankMemoryBytes: 0 }, aim: 2 },
] as const;

async function timesOf({ directory: corpus }: Corpus): Promise<Measured> {
  const root = await mkdtemp(join(tmpdir(), "loredex-reranking-"));
  const engines: Engine[] = [];
  try {
    const filled = join(root, "filled");
    const filling = await openWith(filled, {});
    const { bot: made } = await unlimitedBot(filling, NAME);
    for await (const document of documentsIn(corpus)) await made.importDocument(document);
    await whenGraphIsReady(made);
    const tokenCodeBytes = (await made.stats()).vectors.tokenCodes?.diskBytes ?? 0;
    await filling.close();
    const bots: Bot[] = [];
    for (const [i, { opened }] of WAYS.entries()) {
      const own = join(root, `bot${i}`);
      await cp(filled, own, { recursive: true });
      const engine = await openWith(own, opened);
      engines.push(engine);
      const bot = await engine.bot(NAME);
      await whenGraphIsReady(bot);
      bots.push(bot);
    }
    const ways = bots.map((bot) => (question: string) => bot.search(question));
    return { times: await inTurn(await questionsIn(corpus), ways), tokenCodeBytes };
  } finally {
    for (const engine of engines) await engine.close();
    await rm(root, { recursive: true, force: true });
  }
}

const NAME = "asked";

function openWith(
  directory: string,
  opened: { readonly rerank?: boolean; readonly rerankMemoryBytes?: number },
): Promise<Engine> {
  return Engine.open({ directory, embedders: { hashed: { languages: ["en"], open: openHashed } }, ...opened });
}
