import type { FakeBot } from "./fake-bot.ts";
import { passagesOf, shareOf, wordsOf } from "./library.ts";

const WEIGHT = 0.6;

/** An explanation in the form of the engine, with made-up closeness. */
export function explain(bot: FakeBot, query: string, id: string): unknown {
  const words = [...new Set(wordsOf(query))];
  const found = bot.find(query);
  const rank = found.findIndex((each) => each.id === id) + 1;
  const article = bot.articles.get(id);
  const imported = bot.documents.get(id);
  const text = article?.body ?? imported?.content.map(({ md }) => md).join("\n") ?? "";
  const title = article?.title ?? imported?.metaData.title;
  const passages = passagesOf(text)
    .map((passage) => {
      const lexical = shareOf(words, passage.text) * 0.9;
      const calibrated = Math.min(0.95, lexical * 0.7 + 0.15);
      const similarity = ((1 - WEIGHT) * lexical ** 1.5 + WEIGHT * calibrated ** 1.5) ** (2 / 3);
      const matches = words.map((wordPiece) => ({
        wordPiece,
        closeness: wordsOf(passage.text).includes(wordPiece) ? 0.92 : 0.11,
        start: passage.start,
        stop: passage.stop,
      }));
      const closeness = matches.reduce((sum, each) => sum + each.closeness, 0) / Math.max(1, matches.length);
      return {
        kind: "passage",
        ...passage,
        ...{ bm25: lexical * 9, lexical, calibrated, similarity, cosine: calibrated },
        terms: words
          .filter((word) => wordsOf(passage.text).includes(word))
          .map((term, i) => ({ term, frequency: 1, score: 4.2 - i })),
        rerank: {
          closeness,
          similarity: ((similarity ** 1.5 + 0.5 * closeness ** 1.5) / 1.5) ** (2 / 3),
          ...(query.startsWith("titled") && { titleFactor: 1.25 }),
          matches,
        },
      };
    })
    .sort((a, b) => b.rerank.similarity - a.rerank.similarity);
  const known = bot.known(id);
  return {
    id,
    outcome: !known ? "unknown" : rank === 0 ? "belowFloor" : rank > 10 ? "afterLast" : "returned",
    ...(known && {
      document: { type: article ? "EXTERNAL" : imported?.type, status: "active", title, newerWaits: false },
    }),
    topK: 10,
    returned: Math.min(10, found.length),
    ...(rank > 0 && { rank }),
    score: found[rank - 1]?.score ?? 0,
    ...(found.length > 0 && rank === 0 && { scoreNeeded: found.at(-1)?.score }),
    droppedBy: [],
    question: {
      terms: words.map((term) => ({ term, count: 1, passages: 12, idf: 2.1, weight: 4.6, share: 1 / words.length })),
      upperBound: 9,
      lexicalFloor: 0.1,
      dense: {
        ...{ embedder: "all-MiniLM-L6-v2", weight: WEIGHT, floor: 0.1 },
        ...(query.startsWith("thanks") && { smallTalk: 0.75, scorePower: 2.5 }),
      },
      rerank: { documents: 20, weight: 0.5, wordPieces: words.map((wordPiece) => ({ wordPiece, weight: 1 })) },
    },
    passages: rank === 0 && !known ? [] : passages,
    similarTextParts: found[rank - 1]?.parts ?? [],
  };
}
