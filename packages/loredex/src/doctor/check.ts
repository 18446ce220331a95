import type { Missing } from "@loredex/core";

/** What was found of one thing that Loredex needs or can use. */
export interface Check {
  /** The thing, in a word or two. */
  readonly name: string;
  /** `note`: something is not as it could be, and nothing that is needed or expected is missing. */
  readonly state: "ok" | "note" | "wrong";
  /** What is there, or what is wrong and what mends it, in one line. */
  readonly message: string;
  /** What mends it, by itself, where that is known apart. */
  readonly mend?: string;
}

export function fine(name: string, message: string): Check {
  return { name, state: "ok", message };
}

export function note(name: string, { message }: Pick<Error, "message">): Check {
  return { name, state: "note", message };
}

export function wrong(name: string, { message }: Pick<Error, "message">): Check {
  return { name, state: "wrong", message };
}

/** A part that is missing, in the words that are the same everywhere. */
export function lacking(name: string, state: "note" | "wrong", { story, mend }: Missing): Check {
  return { name, state, message: story, ...(mend === undefined ? {} : { mend }) };
}
