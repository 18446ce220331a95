import type { SearchableDocument } from "../model/types.ts";
import type { Sliced } from "../scheduling/time-slices.ts";
import { allIds, comparedDocument, HEAD_UNITS, type KnowledgeView, ReadUnits, titleOf } from "./knowledge-view.ts";
import { hashOf } from "./near-duplicates.ts";
import type { Contradiction } from "./types.ts";

/** Lines of all documents that are compared, UTF-16 units of one, and pairs that are returned. */
const [LINES_MAX, LINE_UNITS_MAX, PAIRS_MAX] = [500_000, 500, 1_000];
/** A line with fewer words beside numbers and negations says too little. */
const WORDS_MIN = 4;
/** The cost of a line apart from its text, in units. */
const LINE_HEAD_UNITS = 16;

const WORD = /[\p{L}\p{M}]+(?:['’]\p{L}+)?|\p{N}+(?:[.,:]\p{N}+)*/gu;
const NUMBER = /^\p{N}/u;
/** Words that only deny. */
const NEGATIONS = new Set(
  "not no never nor none without nicht kein keine keinen keiner keinem keines nie niemals ohne non pas jamais sans".split(
    " ",
  ),
);
/** Words that hold a negation, with the word that is left. */
const DENIED: ReadonlyMap<string, string> = new Map([
  ["cannot", "can"],
  ["can't", "can"],
  ["won't", "will"],
]);
const DENIED_ENDING = /n't$/u;

/** What a line says, apart from its numbers and negations. */
interface Said {
  /** Its words, with `#` for each number. */
  readonly frame: string;
  readonly numbers: string;
  readonly isDenied: boolean;
}

/**
 * Pairs of lines of different documents with the same words in the same order, but with other numbers, or with and without a negation. Such lines may
 * contradict each other: the text is compared, not its meaning. So a contradiction in other words is not found, and lines about two products are.
 * Each line is compared with the first one of its words: O(lines). Inactive documents are left out.
 */
export function* contradictions(view: KnowledgeView): Sliced<Contradiction[]> {
  const first = new Map<number, { readonly id: string; readonly line: string }>();
  const found: Contradiction[] = [];
  const read = new ReadUnits();
  let lines = 0;
  for (const id of allIds(view)) {
    if (read.shouldYield(HEAD_UNITS)) yield;
    for (const whole of linesOf(comparedDocument(view, id))) {
      if (read.shouldYield(LINE_HEAD_UNITS + whole.length)) yield;
      if (read.isOver || lines >= LINES_MAX || found.length >= PAIRS_MAX) return found;
      const line = whole.trim();
      // A longer line is a paragraph, of which no other has all words.
      if (line === "" || line.length > LINE_UNITS_MAX) continue;
      lines += 1;
      const said = saidIn(line);
      if (said === undefined) continue;
      const key = hashOf(said.frame);
      const known = first.get(key);
      if (known === undefined) first.set(key, { id, line });
      else if (known.id !== id) addIfContrary(found, view, known, { id, line, said });
    }
  }
  return found;
}

function* linesOf(document: SearchableDocument | undefined): Generator<string> {
  for (const { md } of document?.content ?? []) {
    for (let at = 0; at < md.length; ) {
      const end = md.indexOf("\n", at);
      const stop = end < 0 ? md.length : end;
      yield md.slice(at, stop);
      at = stop + 1;
    }
  }
}

function addIfContrary(
  found: Contradiction[],
  view: KnowledgeView,
  known: { readonly id: string; readonly line: string },
  { id, line, said }: { readonly id: string; readonly line: string; readonly said: Said },
): void {
  const before = saidIn(known.line);
  // Two frames may share a hash.
  if (before?.frame !== said.frame) return;
  const reason = before.numbers !== said.numbers ? "numbers" : "negation";
  if (reason === "negation" && before.isDenied === said.isDenied) return;
  found.push({
    ids: [known.id, id],
    titles: [titleOf(view, known.id) ?? "", titleOf(view, id) ?? ""],
    lines: [known.line, line],
    reason,
  });
}

/** Undefined for a line that says too little. */
function saidIn(line: string): Said | undefined {
  const frame: string[] = [];
  const numbers: string[] = [];
  let [words, isDenied] = [0, false];
  for (const [token] of line.toLowerCase().replaceAll("’", "'").matchAll(WORD)) {
    if (NUMBER.test(token)) {
      numbers.push(token);
      frame.push("#");
      continue;
    }
    if (NEGATIONS.has(token)) {
      isDenied = true;
      continue;
    }
    const left = DENIED.get(token) ?? token.replace(DENIED_ENDING, "");
    isDenied ||= left !== token;
    frame.push(left);
    words += 1;
  }
  return words < WORDS_MIN ? undefined : { frame: frame.join(" "), numbers: numbers.join(" "), isDenied };
}
