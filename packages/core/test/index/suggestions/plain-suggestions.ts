import type { Suggestion, SuggestionKind } from "../../../src/model/suggestions.ts";

/** A text of a document, for the plain reading of what suggestions are. */
export interface PlainText {
  readonly id: string;
  readonly text: string;
  readonly kind: SuggestionKind;
}

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const BESIDE_UNSPACED = new RegExp(`(?=${UNSPACED.source})|(?<=${UNSPACED.source})`, "u");

/** Suggestions by a scan over all texts, without an index. The first text of a document comes first among equal ones of it. */
export function plainSuggestions(texts: readonly PlainText[], prefix: string, limit: number): Suggestion[] {
  const typed = wordsOf(prefix);
  if (typed.length === 0) return [];
  const found: { place: readonly number[]; suggestion: Suggestion }[] = [];
  for (const { id, text, kind } of texts) {
    const place = placeOf(text, typed);
    if (place !== undefined) found.push({ place, suggestion: { text, resourceDocId: id, kind } });
  }
  found.sort(
    (a, b) =>
      compared(a.place, b.place) ||
      order(a.suggestion.text, b.suggestion.text) ||
      order(a.suggestion.resourceDocId, b.suggestion.resourceDocId),
  );
  const distinct = new Map<string, Suggestion>();
  // Mistakes are tolerated only if no text fits without.
  const shown = found.filter(({ place }) => place[0] === 0 || found[0]?.place[0] !== 0);
  for (const { suggestion } of shown) if (!distinct.has(suggestion.text)) distinct.set(suggestion.text, suggestion);
  return [...distinct.values()].slice(0, limit);
}

function compared(a: readonly number[], b: readonly number[]): number {
  for (const [i, value] of a.entries()) if (value !== b[i]) return value - (b[i] ?? 0);
  return 0;
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The words of a text, each as its tokens: itself, or its letters in a script without spaces. */
function wordsOf(text: string): string[][] {
  const words =
    text
      .normalize("NFKC")
      .toLowerCase()
      .match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  return words.map((word) =>
    word.split(BESIDE_UNSPACED).map((token) => (UNSPACED.test(token) ? token : folded(token))),
  );
}

function folded(letters: string): string {
  return letters.normalize("NFD").replace(/\p{M}/gu, "");
}

/** What decides the place of a text, the most important first; undefined if it does not continue the typed prefix. */
function placeOf(text: string, typed: readonly (readonly string[])[]): readonly number[] | undefined {
  const own = wordsOf(text).flat();
  const tokens = typed.flat();
  let first = 0;
  const mistakesAt = tokens.map(() => own.map(() => Number.POSITIVE_INFINITY));
  let areJoined = true;
  for (const word of typed) {
    for (const [i, token] of word.entries()) {
      for (const [at, candidate] of own.entries()) {
        const row = mistakesAt[first + i] ?? [];
        if (i < word.length - 1) row[at] = candidate === token ? 0 : Number.POSITIVE_INFINITY;
        else
          row[at] =
            word.length > 1 ? (candidate.startsWith(token) ? 0 : Number.POSITIVE_INFINITY) : mistakes(candidate, token);
      }
    }
    const from = first;
    if (word.length > 1)
      areJoined &&= own.some((_, at) => word.every((_token, i) => mistakesAt[from + i]?.[at + i] === 0));
    first += word.length;
  }
  const sum = mistakesAt.reduce((all, row) => all + Math.min(...row), 0);
  if (!areJoined || !Number.isFinite(sum)) return undefined;
  const fits = (value: number | undefined): boolean =>
    value !== undefined && (sum === 0 ? value === 0 : Number.isFinite(value));
  const places = own.flatMap((_, at) => (tokens.every((_token, i) => fits(mistakesAt[i]?.[at + i])) ? [at] : []));
  const inOrder = places.includes(0) ? 0 : places.length > 0 ? 1 : 2;
  return [sum, inOrder, tokens.every((token) => own.includes(token)) ? 0 : 1, text.length];
}

/** The tolerated typing mistakes after which `typed` begins `word`; infinite if they are too many. */
function mistakes(word: string, typed: string): number {
  const most = /\p{N}/u.test(typed) || typed.length < 4 || UNSPACED.test(typed) ? 0 : typed.length < 8 ? 1 : 2;
  const fewest = Math.min(...Array.from({ length: word.length + 1 }, (_, end) => distance(word.slice(0, end), typed)));
  return fewest <= most ? fewest : Number.POSITIVE_INFINITY;
}

/** Optimal string alignment, by the whole matrix. */
function distance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  const at = (i: number, j: number): number => rows[i]?.[j] ?? Number.POSITIVE_INFINITY;
  for (let i = 1; i <= a.length; i++) {
    rows.push([i]);
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      rows[i]?.push(
        Math.min(
          at(i - 1, j) + 1,
          at(i, j - 1) + 1,
          at(i - 1, j - 1) + (isSame ? 0 : 1),
          isSwapped ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
  }
  return at(a.length, b.length);
}
