import { languageOf } from "./language-tags.ts";
import { NO_EMBEDDER } from "./options.ts";
import type { BotInfo } from "./types.ts";

/**
 * What a setting of a bot may cost its answers.
 * - `wordsAlone`: it has no embedder, and there is one for its language. Perhaps an older version had none; perhaps it was chosen so.
 * - `otherLanguage`: most of its newest documents are written in other languages than its own.
 */
export type AdviceKind = "wordsAlone" | "otherLanguage";

/** A setting of a bot that its operator may want to change. */
export interface Advice {
  readonly kind: AdviceKind;
  /** The command that changes it, with the bot's id. */
  readonly mend: string;
  /** For `otherLanguage`: that of the documents, or `auto` for several. */
  readonly writtenIn?: string;
  /** All of this as one line for the operator: the same wherever it is said. */
  readonly story: string;
}

/** Choices that name no language: no document can be in another one. */
const OF_MANY: ReadonlySet<string> = new Set(["auto", "multi"]);

/**
 * What the operator of a bot is told of its settings; usually nothing. It is not stored whether a bot without an embedder was meant to have none, so
 * the line leaves both open.
 * @param embedderFor the embedder that a new bot of a language gets
 * @param writtenIn what most of its documents are written in, as far as that is known: a language, or `auto` for several
 */
export function adviceOf(
  { id, language, embedder }: Pick<BotInfo, "id" | "language" | "embedder">,
  embedderFor: (language: string) => string,
  writtenIn?: string,
): readonly Advice[] {
  const usual = embedderFor(isOther(language, writtenIn) ? writtenIn : language);
  const hasNone = embedder === NO_EMBEDDER && usual !== NO_EMBEDDER;
  if (isOther(language, writtenIn)) {
    const mend = `loredex bot set ${id} --language ${writtenIn}${hasNone ? ` --embedder ${usual}` : ""}`;
    const where = writtenIn === "auto" ? `in other languages than ${language}` : `in ${writtenIn}`;
    const story = `Most of its newest documents are written ${where}, and its language is ${language}: questions find less. To mend it: ${mend}`;
    return [{ kind: "otherLanguage", writtenIn, mend, story }];
  }
  if (!hasNone) return [];
  const mend = `loredex bot set ${id} --embedder ${usual}`;
  const story = `Found by words alone, and not by the embedder ${usual}, which new bots of its language get. Unless that was chosen: ${mend}`;
  return [{ kind: "wordsAlone", mend, story }];
}

function isOther(language: string, writtenIn: string | undefined): writtenIn is string {
  const own = languageOf(language);
  return writtenIn !== undefined && own !== undefined && !OF_MANY.has(own) && own !== writtenIn;
}
