/** Reports on a component that cannot be used here. Every place that reports it shows {@link Missing.story} unchanged. */

/** The fallback for a missing component. */
export type Instead =
  /** BM25 alone finds passages. */
  | "words"
  /** BM25 and the built-in static embedder find passages. */
  | "static"
  /** An exact scan compares every vector with the question's. */
  | "scan";

/** A component that cannot be used here: an embedder, or the graph backend. */
export interface Missing {
  /** The embedder by the name that settings use, or the missing package of the graph backend. */
  readonly name: string;
  /** Why, in one line. */
  readonly why: string;
  /** The remedy in one line, mostly a command. Absent if none is known. */
  readonly mend?: string;
  /** The fallback that is in use meanwhile. */
  readonly instead: Instead;
  /** The whole report as one line for the operator: the same text everywhere. */
  readonly story: string;
}

/** How questions are answered, once a bot and its embedder are opened. */
export interface Readiness {
  /** Why the embedder cannot be used here, and its fallback. Absent if it can be used. */
  readonly missing?: Missing;
}

/** A phrase for the operator that names a fallback of the embedder. */
export function foundBy(instead: Exclude<Instead, "scan">): string {
  return instead === "static" ? "by words and by the built-in static embedder" : "by words alone";
}

/** The facts about a missing component, before its story is made. */
type Known = Pick<Missing, "name" | "why"> & { readonly mend?: string | undefined };

/** Reports a missing embedder with its fallback. */
export function missingEmbedder(known: Known, instead: Exclude<Instead, "scan">): Missing {
  return told(known, instead, `Passages are found ${foundBy(instead)}, not by the embedder ${known.name}`);
}

/** Reports a missing graph backend. The fallback is the exact scan. */
export function missingGraph(known: Known): Missing {
  return told(known, "scan", "Large bots are searched without a graph, which takes longer the more they hold");
}

function told({ name, why, mend }: Known, instead: Instead, effect: string): Missing {
  const reason = inSentence(why);
  if (mend === undefined) return { name, why: reason, instead, story: `${effect}: ${reason}.` };
  return { name, why: reason, mend, instead, story: `${effect}: ${reason}. To mend it: ${mend}` };
}

/** Turns a sentence into a clause that can follow a colon: no final period, a lower-case article. */
function inSentence(sentence: string): string {
  const bare = sentence.trim().replace(/\.$/, "");
  return ARTICLE.test(bare) ? bare.charAt(0).toLowerCase() + bare.slice(1) : bare;
}

const ARTICLE = /^(?:An?|It|No|The) /;
