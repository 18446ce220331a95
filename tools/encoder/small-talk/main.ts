import { writeFileSync } from "node:fs";
import { openEnglishStatic } from "@loredex/core";
import { openMiniLm } from "@loredex/minilm";
import { openMultilingual } from "@loredex/multilingual";
import { CachedEmbedder } from "../../../bench/bots/cached-embedder.ts";
import { JUDGED_SETS, markdownPages, questionsFor } from "../../../bench/corpora/judged-sets.ts";
import { cutOut, drawBy } from "../../../bench/corpora/noise-text.ts";
import { SMALL_BOT_SOURCES } from "../../../bench/corpora/small-bots.ts";
import { smallTalk } from "../../../bench/corpora/small-talk.ts";
import { percentile } from "../../../bench/measuring/measures.ts";
import { along, axisCodes, type Judged, separatingAxis } from "../noise/separate.ts";
import { ASKED_QUESTIONS, SMALL_TALK } from "./texts.ts";

/**
 * Finds, for each encoder, the direction in which the vectors of small talk lie. Writes `small-talk-axis.ts` of its package, and prints where texts lie that
 * took no part: small talk of the bench, and the questions of the halves of judged sets that are reported.
 */

type Embed = (text: string) => Promise<Float32Array>;

/** Texts of one kind count as much as those of another, however many they are. */
interface Kind {
  readonly name: string;
  readonly isSmallTalk: boolean;
  readonly texts: readonly string[];
}

const english = englishKinds(0);
const others = Object.entries(ASKED_QUESTIONS).map(([language, texts]) => kind(`asked, ${language}`, false, texts));
const talks = Object.entries(SMALL_TALK).map(([language, texts]) => kind(`small talk, ${language}`, true, texts));

const heldBack = [...englishKinds(1), kind("small talk of the bench, en", true, talkOf("en"))];
const heldBackOfAll = [
  ...heldBack,
  kind("small talk of the bench, de", true, talkOf("de")),
  kind("xquad-de", false, questionsOf("xquad-de", "report")),
];

const staticEmbedder = await openEnglishStatic();
const own = [...english, ...[...others, ...talks].filter(({ name }) => name.endsWith(", en"))];
await write("core/src/embedding", staticEmbedder.version, async (text) => staticEmbedder.embed(text), own, heldBack);
const miniLm = new CachedEmbedder(await openMiniLm());
await write("minilm/src", miniLm.version, (text) => miniLm.embedQuery(text), own, heldBack);
await miniLm.close();
const multilingual = new CachedEmbedder(await openMultilingual());
const all = [...english, ...others, ...talks, kind("xquad-de", false, questionsOf("xquad-de", "tune"))];
await write("multilingual/src", multilingual.version, (text) => multilingual.embedQuery(text), all, heldBackOfAll);
await multilingual.close();

async function write(
  folder: string,
  version: string,
  embed: Embed,
  kinds: readonly Kind[],
  others: readonly Kind[],
): Promise<void> {
  const judged: Judged[] = [];
  for (const { isSmallTalk, texts } of kinds) {
    for (const text of texts)
      judged.push({ vector: await embed(text), isOfKind: isSmallTalk, weight: 1 / texts.length });
  }
  const axis = separatingAxis(judged);
  writeFileSync(
    new URL(`../../../packages/${folder}/small-talk-axis.ts`, import.meta.url),
    `/** Made by \`tools/encoder/small-talk\` with the model of this version. */
export const SMALL_TALK_AXIS_OF = "${version}";

/** The direction of small talk: one signed byte for each dimension. */
export const SMALL_TALK_AXIS =
  "${axisCodes(axis)}";
`,
  );
  console.log(folder);
  for (const { name, texts } of others) {
    const values: number[] = [];
    for (const text of texts) values.push(along(axis, await embed(text)));
    const shares = [0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99].map((share) => percentile(values, share).toFixed(3));
    console.log(" ", name.padEnd(30), String(texts.length).padStart(5), shares.join(" "));
  }
}

function kind(name: string, isSmallTalk: boolean, texts: readonly string[]): Kind {
  return { name, isSmallTalk, texts };
}

function talkOf(language: string): string[] {
  return [...smallTalk(language, "tune"), ...smallTalk(language, "report")];
}

function questionsOf(set: string, use: "tune" | "report"): string[] {
  return questionsFor(JUDGED_SETS[set]?.() ?? { questions: [], useOf: () => use }, use).map(({ text }) => text);
}

/** Questions in English that ask something: of judged sets, titles of pages, and one to three words of titles. `part` 0 makes the axis, 1 is held back. */
function englishKinds(part: 0 | 1): Kind[] {
  const use = part === 0 ? "tune" : "report";
  const draw = drawBy(part + 1);
  const topics = SMALL_BOT_SOURCES["stackfaq-qna"]?.().find((source) => source.use === use)?.topics ?? [];
  const titles = markdownPages()
    .map(({ metaData }) => metaData?.title)
    .filter((title): title is string => typeof title === "string")
    .filter((_, i) => i % 8 === part * 4);
  return [
    kind(
      "stackfaq",
      false,
      topics.flatMap(({ questions }) => questions.map(({ text }) => text)),
    ),
    kind(
      "squad",
      false,
      questionsOf("squad-paragraphs", use).filter((_, i) => i % 10 === 0),
    ),
    kind("titles", false, titles),
    kind(
      "words of titles",
      false,
      titles.map((title) => cutOut(title, 1 + draw.below(3), true, draw)),
    ),
  ];
}
