import type { DocumentInput, Quality } from "@loredex/core";
import { EmbeddersInUse } from "../bots/cached-embedder.ts";
import { type JudgedEmbedder, withJudgedBot } from "../bots/judged-bot.ts";
import { EXACT_KINDS, exactCase } from "../corpora/exact-strings.ts";
import type { Use } from "../corpora/judged-sets.ts";
import type { BenchOptions } from "../measuring/bench-options.ts";
import { printTable } from "../measuring/table.ts";

/**
 * How often a question for one exact string (a phone number, a version, a key combination) finds the one document that holds it, among others that hold
 * strings of the same kind: by words, by the static embedder, and by the encoder with reranking. Of each kind so many are right first.
 */
export async function exact({ short, json, only, use }: BenchOptions): Promise<void> {
  const embedders = new EmbeddersInUse();
  const table: object[] = [];
  try {
    const encoder = await embedders.of("en");
    for (const half of use === undefined ? (["tune", "report"] as const) : [use]) {
      for (const kind of EXACT_KINDS) {
        if (only !== undefined && only !== kind) continue;
        const { documents, questions } = exactCase(kind, short ? 40 : DOCUMENTS, short ? 4 : QUESTIONS, SEEDS[half]);
        const row: Record<string, string | number> = { kind, use: half, of: questions.length };
        for (const [by, embedder, quality] of WAYS) {
          row[by] = await withJudgedBot(documents.map(asDocument), embedder, encoder, async (bot) => {
            let first = 0;
            for (const { text, document } of questions) {
              const [best] = await bot.search(text, { topK: 10, quality });
              if (best?.resourceDocId === idOf(document)) first++;
            }
            return first;
          });
        }
        table.push(row);
      }
    }
  } finally {
    await embedders.close();
  }
  if (json) console.log(JSON.stringify(table));
  else printTable(table);
}

const DOCUMENTS = 500;
const QUESTIONS = 40;

/** Settings are chosen on strings of one seed; what is claimed are those of the other. */
const SEEDS: Readonly<Record<Use, number>> = { tune: 1, report: 2 };

const WAYS: readonly (readonly [by: string, embedder: JudgedEmbedder, quality: Quality])[] = [
  ["words", "none", "best"],
  ["static embedder", "static", "fast"],
  ["encoder", "minilm", "best"],
];

function asDocument({ title, body }: { readonly title: string; readonly body: string }, number: number): DocumentInput {
  return { type: "DOCUMENT", resourceDocId: idOf(number), metaData: { title }, content: [{ md: body }] };
}

/** As a document's own: 24 hex digits. */
function idOf(number: number): string {
  return number.toString(16).padStart(24, "0");
}
