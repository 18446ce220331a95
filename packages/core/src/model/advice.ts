import { languageOf } from "./language-tags.ts";
import { ENGLISH_EMBEDDERS, NO_EMBEDDER } from "./options.ts";
import type { BotInfo } from "./types.ts";

/**
 * The reasons why a setting of a bot may make its answers worse.
 * - `wordsAlone`: it has no embedder, and there is one for its language. An older version may have had none, or the operator chose so.
 * - `otherLanguage`: most of its newest documents are written in other languages than its own.
 */
export type AdviceKind = "wordsAlone" | "otherLanguage";

/** A setting of a bot that its operator may want to change. */
export interface Advice {
  readonly kind: AdviceKind;
  /** The command that changes it, with the bot's id. It names an embedder if the present one would stay and understand nothing. */
  readonly mend: string;
  /** For `otherLanguage`: the language of the documents, or `auto` for several. */
  readonly writtenIn?: string;
  /** The whole advice as one line for the operator: the same text everywhere. */
  readonly story: string;
}

/** Settings that name no single language: no document can be in another one. */
const OF_MANY: ReadonlySet<string> = new Set(["auto", "multi"]);

/**
 * Advice on the settings of a bot; usually none. The catalog does not store whether a bot lacks an embedder on purpose, so the advice leaves both open.
 * @param embedderFor the embedder that a new bot of a language gets
 * @param writtenIn the language of most of its documents, or `auto` for several; undefined if unknown
 */
export function adviceOf(
  { id, language, embedder }: Pick<BotInfo, "id" | "language" | "embedder">,
  embedderFor: (language: string) => string,
  writtenIn?: string,
): readonly Advice[] {
  if (isOther(language, writtenIn)) {
    const usual = embedderFor(writtenIn);
    // The usual embedder follows the language. Another one stays, unless the command names one.
    const staying = embedder === embedderFor(language) ? usual : embedder;
    const isLost = staying === NO_EMBEDDER || (writtenIn !== "en" && ENGLISH_EMBEDDERS.includes(staying));
    const next = isLost && usual !== NO_EMBEDDER ? usual : staying;
    const mend = `loredex bot set ${id} --language ${writtenIn}${next === staying ? "" : ` --embedder ${next}`}`;
    const where = writtenIn === "auto" ? `in other languages than ${language}` : `in ${writtenIn}`;
    const vectors = next === NO_EMBEDDER ? ", without vectors" : `, with vectors of ${next}`;
    const cost = `index its documents again${next === embedder ? "" : vectors}`;
    const story = `Most of its newest documents are written ${where}, and its language is ${language}: questions find less. To mend it, ${cost}: ${mend}`;
    return [{ kind: "otherLanguage", writtenIn, mend, story }];
  }
  const usual = embedderFor(language);
  if (embedder !== NO_EMBEDDER || usual === NO_EMBEDDER) return [];
  const mend = `loredex bot set ${id} --embedder ${usual}`;
  const story = `Found by words alone, and not by the embedder ${usual}, which new bots of its language get. Unless that was chosen: ${mend}`;
  return [{ kind: "wordsAlone", mend, story }];
}

function isOther(language: string, writtenIn: string | undefined): writtenIn is string {
  const own = languageOf(language);
  return writtenIn !== undefined && own !== undefined && !OF_MANY.has(own) && own !== writtenIn;
}
