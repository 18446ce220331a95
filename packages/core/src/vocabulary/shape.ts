import { A_STRING } from "../model/known-options.ts";
import {
  RESOURCE_ID_CHARACTERS_MAX,
  VOCABULARY_IGNORED_MAX,
  VOCABULARY_LINE_CHARACTERS_MAX,
  VOCABULARY_PINS_MAX,
  VOCABULARY_SYNONYM_TEXTS_MAX,
  VOCABULARY_SYNONYMS_MAX,
  VOCABULARY_TEXT_CHARACTERS_MAX,
  VOCABULARY_TEXT_WORDS_MAX,
  VOCABULARY_UNITS_MAX,
} from "../model/limits.ts";
import { requireArguments } from "../model/require-options.ts";
import { own, Violations } from "../model/validation.ts";
import type { PinnedAnswer, Vocabulary } from "../model/vocabulary-types.ts";
import { systemClock } from "../platform/system.ts";
import { finished, type Sliced, TimeSlices } from "../scheduling/time-slices.ts";
import { oneSpaced, type SynonymSides, synonymLine, synonymSides } from "./synonym-line.ts";

const FIELDS = new Set(["synonyms", "pins", "ignored"]);
const PIN_FIELDS = new Set(["question", "document"]);

/** Text of marks alone has no words: a question never has it. */
const WORD = /[\p{L}\p{N}\p{S}]/u;
const CONTROL = /\p{Cc}/u;

/**
 * Validates a vocabulary, `{ synonyms?, pins?, ignored? }`. Its texts get one space between words.
 * @throws ValidationError naming every broken rule
 */
export function parseVocabulary(input: unknown): Vocabulary {
  return finished(parseInSlices(input));
}

/**
 * The same, without holding the thread up: it yields after each 4 ms.
 * @param prefix of the field names in errors, with its dot. Default: none
 */
export async function readVocabulary(input: unknown, prefix = ""): Promise<Vocabulary> {
  requireArguments("readVocabulary", { prefix }, { prefix: A_STRING });
  return new TimeSlices(systemClock).run(parseInSlices(input, prefix));
}

/**
 * The same in time slices: the largest vocabulary takes some hundred milliseconds.
 * @param prefix of the field names in errors, with its dot
 */
export function* parseInSlices(input: unknown, prefix = ""): Sliced<Vocabulary> {
  const shape = new Shape(prefix);
  const vocabulary = yield* shape.read(input);
  shape.violations.throwIfAny();
  return vocabulary;
}

/** Entries that are read between two yields. */
const SLICE_ENTRIES = 16;

class Shape {
  readonly violations = new Violations();
  readonly #prefix: string;
  /** Of all texts. */
  #units = 0;
  /** The list with the longest texts so far. */
  #longest = { field: "", units: 0 };

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  *read(input: unknown): Sliced<Vocabulary> {
    const fields = this.violations.object("vocabulary", input) ?? {};
    this.violations.unknownFields(fields, FIELDS, this.#prefix);
    const of = <Entry>(name: string, max: number, read: (field: string, value: unknown) => Entry | undefined) =>
      this.#list(`${this.#prefix}${name}`, own(fields, name), max, read);
    const vocabulary = {
      synonyms: yield* of("synonyms", VOCABULARY_SYNONYMS_MAX, (field, value) => this.#synonyms(field, value)),
      pins: yield* of("pins", VOCABULARY_PINS_MAX, (field, value) => this.#pin(field, value)),
      ignored: yield* of("ignored", VOCABULARY_IGNORED_MAX, (field, value) => this.#words(field, value)),
    };
    if (this.#units > VOCABULARY_UNITS_MAX) {
      const { field } = this.#longest;
      const message = `${field} and the other lists have ${this.#units} UTF-16 units in all, and may have ${VOCABULARY_UNITS_MAX}; remove entries that no question needs`;
      this.violations.add(field, "maxLength", message);
    }
    return vocabulary;
  }

  *#list<Entry>(
    field: string,
    value: unknown,
    max: number,
    read: (field: string, value: unknown) => Entry | undefined,
  ): Sliced<Entry[]> {
    const entries: Entry[] = [];
    const before = this.#units;
    if (value === undefined) return entries;
    if (!Array.isArray(value)) {
      this.violations.add(field, "array", `${field} must be a list`);
    } else if (value.length > max) {
      this.violations.add(field, "maxItems", `${field} must have at most ${max} entries, not ${value.length}`);
    } else {
      for (const [i, each] of value.entries()) {
        const entry = read(`${field}.${i}`, each);
        if (entry !== undefined) entries.push(entry);
        if (i % SLICE_ENTRIES === 0) yield;
      }
    }
    const units = this.#units - before;
    if (units > this.#longest.units) this.#longest = { field, units };
    return entries;
  }

  #synonyms(field: string, value: unknown): string | undefined {
    const line = this.violations.string(field, value, { min: 1, max: VOCABULARY_LINE_CHARACTERS_MAX });
    if (line === undefined) return undefined;
    const sides = synonymSides(line);
    const problem = sides === undefined ? "must have one => at most" : problemOf(sides);
    if (sides === undefined || problem !== undefined) {
      this.violations.add(field, "synonyms", `${field} ${problem}; write "a, b" or "a => b, c"`);
      return undefined;
    }
    const texts = [...sides.from, ...(sides.to ?? [])].map((text) => this.#words(field, text));
    return texts.includes(undefined) ? undefined : synonymLine(sides);
  }

  #pin(field: string, value: unknown): PinnedAnswer | undefined {
    const fields = this.violations.object(field, value);
    if (fields === undefined) return undefined;
    this.violations.unknownFields(fields, PIN_FIELDS, `${field}.`);
    const question = this.#text(`${field}.question`, own(fields, "question"), VOCABULARY_TEXT_CHARACTERS_MAX);
    const id = own(fields, "document");
    const document = this.violations.string(`${field}.document`, id, { min: 1, max: RESOURCE_ID_CHARACTERS_MAX });
    if (question === undefined || document === undefined) return undefined;
    this.#units += document.length;
    return { question, document };
  }

  /** Words that stand together in a question. */
  #words(field: string, value: unknown): string | undefined {
    const words = this.#text(field, value, VOCABULARY_TEXT_CHARACTERS_MAX);
    if (words === undefined || words.split(" ").length <= VOCABULARY_TEXT_WORDS_MAX) return words;
    const message = `${field} must have at most ${VOCABULARY_TEXT_WORDS_MAX} words in one text`;
    this.violations.add(field, "maxItems", message);
    return undefined;
  }

  #text(field: string, value: unknown, max: number): string | undefined {
    const text = this.violations.string(field, typeof value === "string" ? oneSpaced(value) : value, { min: 1, max });
    if (text === undefined) return undefined;
    this.#units += text.length;
    if (WORD.test(text) && !CONTROL.test(text)) return text;
    this.violations.add(field, "word", `${field} must have a word, and no control characters`);
    return undefined;
  }
}

function problemOf({ from, to = [] }: SynonymSides): string | undefined {
  const texts = [...from, ...to];
  if (texts.includes("")) return "must have a text on each side of a comma and of =>";
  if (texts.length < 2) return "must have at least two texts";
  if (texts.length > VOCABULARY_SYNONYM_TEXTS_MAX) return `must have at most ${VOCABULARY_SYNONYM_TEXTS_MAX} texts`;
  return undefined;
}
