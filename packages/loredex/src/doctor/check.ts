import type { Missing } from "@loredex/core";

/** The result of checking one thing that Loredex needs or can use. */
export interface Check {
  /** The name of the thing, in a word or two. */
  readonly name: string;
  /** `note`: something could be better, but nothing needed or expected is missing. */
  readonly state: "ok" | "note" | "wrong";
  /** What was found, or what is wrong and how to mend it, in one line. */
  readonly message: string;
  /** The remedy alone, if it is known. */
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

/** A missing part, with the same text as everywhere. */
export function lacking(name: string, state: "note" | "wrong", { story, mend }: Missing): Check {
  return { name, state, message: story, ...(mend === undefined ? {} : { mend }) };
}
