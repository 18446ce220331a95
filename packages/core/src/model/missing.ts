/** What is told of a part that cannot be used here. Every place that tells of it shows {@link Missing.story} as it is. */

/** What does the work of a part that is missing. */
export type Instead =
  /** Passages are found by their words, and by nothing else. */
  | "words"
  /** Passages are found by their words and by the small encoder that comes with the engine. */
  | "static"
  /** Every vector is compared with the question's. */
  | "scan";

/** A part that cannot be used here: an embedder, or the graph library. */
export interface Missing {
  /** The embedder by the name that settings use, or the package of the graph library. */
  readonly name: string;
  /** Why, in one line. */
  readonly why: string;
  /** What somebody can do about it, in one line: mostly a command. Absent where nobody knows. */
  readonly mend?: string;
  /** What does its work meanwhile. */
  readonly instead: Instead;
  /** All of this as one line for the operator: the same wherever it is said. */
  readonly story: string;
}

/** How questions are read once nothing has to be opened for them any more. */
export interface Readiness {
  /** What keeps the embedder from being used here, and what reads questions instead; absent if nothing does. */
  readonly missing?: Missing;
}

/** How much is found when the embedder does not take part, in the operator's words. */
export function foundBy(instead: Exclude<Instead, "scan">): string {
  return instead === "static" ? "by words and by the built-in static embedder" : "by words alone";
}

/** What is known of a part that is missing, before it is told. */
type Known = Pick<Missing, "name" | "why"> & { readonly mend: string | undefined };

export function missingEmbedder(known: Known, instead: Exclude<Instead, "scan">): Missing {
  return told(known, instead, `Passages are found ${foundBy(instead)}, not by the embedder ${known.name}`);
}

export function missingGraph(known: Known): Missing {
  return told(known, "scan", "Large bots are searched without a graph, which takes longer the more they hold");
}

function told({ name, why, mend }: Known, instead: Instead, effect: string): Missing {
  const reason = inSentence(why);
  if (mend === undefined) return { name, why: reason, instead, story: `${effect}: ${reason}.` };
  return { name, why: reason, mend, instead, story: `${effect}: ${reason}. To mend it: ${mend}` };
}

/** What stands for itself, as it stands behind a colon. */
function inSentence(sentence: string): string {
  const bare = sentence.trim().replace(/\.$/, "");
  return ARTICLE.test(bare) ? bare.charAt(0).toLowerCase() + bare.slice(1) : bare;
}

const ARTICLE = /^(?:An?|It|No|The) /;
