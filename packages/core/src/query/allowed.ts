import type { Drop } from "../domain/explanation.ts";
import type { FilterValue, JsonValue, SearchableDocument } from "../domain/types.ts";
import type { OperationMeter, Steps } from "../runtime/steps.ts";
import type { AllowedKeys } from "../vector/vector-index.ts";
import type { DocumentSlots } from "./document-slots.ts";
import { comparingOperations, FilterField, hasValue } from "./filters.ts";
import { partCountOf } from "./indexed-document.ts";
import type { SearchRequest } from "./request.ts";

/** The documents that a search may return; undefined if it may return all. */
export type Allowed = AllowedDocuments | undefined;

/** The documents that the filters and switches of a search allow, by their slots, as long as no document changes. */
class AllowedDocuments implements AllowedKeys {
  readonly #documents: DocumentSlots;
  /** By slot: 1 if its document is allowed. */
  readonly #slots: Uint8Array;
  #parts = 0;

  private constructor(documents: DocumentSlots) {
    this.#documents = documents;
    this.#slots = new Uint8Array(documents.slotCount);
  }

  /** Asks each document once. */
  static *by(rules: readonly Rule[], documents: DocumentSlots, meter: OperationMeter): Steps<AllowedDocuments> {
    const allowed = new AllowedDocuments(documents);
    const slots = allowed.#slots;
    const plain = rules.every(({ asked }) => asked.isPlain) ? new PlainRules(rules) : undefined;
    for (let slot = 0; slot < slots.length; slot++) {
      if (meter.isStep(1 + (plain?.takeOperations() ?? 0))) yield;
      const document = documents.at(slot);
      if (document === undefined) continue;
      // Nearly all filters are plain: a generator for each document would take several times as long.
      const isAllowed =
        plain === undefined
          ? (yield* brokenRules(rules, document.document, meter, 1)).length === 0
          : plain.allow(document.document);
      if (!isAllowed) continue;
      slots[slot] = 1;
      allowed.#parts += partCountOf(document);
    }
    return allowed;
  }

  /** Whether the document of a slot is allowed; false for -1, which is nobody's. */
  has(slot: number): boolean {
    return this.#slots[slot] === 1;
  }

  /** Parts of allowed documents: whether or not they have a vector. */
  get keyCount(): number {
    return this.#parts;
  }

  /** The numbers of their parts, a range for each document. */
  *keyRanges(): Generator<readonly [first: number, end: number], void> {
    for (let slot = 0; slot < this.#slots.length; slot++) {
      const document = this.#slots[slot] === 1 ? this.#documents.at(slot) : undefined;
      if (document !== undefined) yield [document.firstPart, document.firstPart + partCountOf(document)];
    }
  }
}

/** What the allowed documents of an index depend on. */
export interface Filterable {
  readonly documents: DocumentSlots;
  readonly effort: OperationMeter;
  /** Rises whenever a document comes, goes or gets other fields. */
  readonly documentChanges: number;
}

/** Finds out what searches allow. The last answer is remembered as long as no document has changed. */
export class Filtering {
  readonly #index: Filterable;
  #last: { readonly request: Filters; readonly changes: number; readonly allowed: AllowedDocuments } | undefined;

  constructor(index: Filterable) {
    this.#index = index;
  }

  /** The documents that a request's filters and switches allow, found in steps. */
  *allowedBy(request: Filters): Steps<Allowed> {
    const rules = rulesOf(request);
    if (rules.length === 0) return undefined;
    const { documents, effort, documentChanges: changes } = this.#index;
    const last = this.#last;
    if (last !== undefined && last.changes === changes && areSame(last.request, request)) return last.allowed;
    const allowed = yield* AllowedDocuments.by(rules, documents, effort);
    // If documents changed meanwhile, it is of no use any more: the number of changes has risen.
    this.#last = { request, changes, allowed };
    return allowed;
  }
}

/** What of a request says which documents may be returned. */
type Filters = Pick<SearchRequest, "filters" | "includeFaqs" | "onlyActiveIntents">;

function areSame(a: Filters, b: Filters): boolean {
  if (a.includeFaqs !== b.includeFaqs || a.onlyActiveIntents !== b.onlyActiveIntents) return false;
  const names = Object.keys(a.filters);
  if (names.length !== Object.keys(b.filters).length) return false;
  return names.every((name) => a.filters[name] === b.filters[name]);
}

/** The filters and switches of a request that drop a document. */
export function* droppedBy(
  request: Filters,
  document: SearchableDocument,
  meter: OperationMeter,
): Steps<readonly Drop[]> {
  const broken = yield* brokenRules(rulesOf(request), document, meter, Number.POSITIVE_INFINITY);
  return broken.map(({ rule: { field, wanted }, found }) => ({
    field,
    wanted,
    ...(found === undefined ? {} : { found }),
  }));
}

interface Rule {
  /** As the request names it. */
  readonly field: string;
  readonly wanted: FilterValue;
  /** The field of a document that it reads. */
  readonly asked: FilterField;
  /** Whether it allows a document with this value. */
  readonly allows: (found: JsonValue | undefined, document: SearchableDocument) => boolean;
}

interface BrokenRule {
  readonly rule: Rule;
  /** The value that the document has instead. */
  readonly found: JsonValue | undefined;
}

/** Rules that ask plain fields alone. */
class PlainRules {
  readonly #rules: readonly Rule[];
  #operations = 0;

  constructor(rules: readonly Rule[]) {
    this.#rules = rules;
  }

  /** Whether all of them allow a document. */
  allow(document: SearchableDocument): boolean {
    return this.#rules.every(({ asked, allows }) => {
      const found = asked.valueOf(document);
      this.#operations += comparingOperations(found);
      return allows(found, document);
    });
  }

  /** Operations since the last call. */
  takeOperations(): number {
    const operations = this.#operations;
    this.#operations = 0;
    return operations;
  }
}

const NONE: readonly BrokenRule[] = [];

/** The first rules that do not allow a document, at most `most` of them. */
function* brokenRules(
  rules: readonly Rule[],
  document: SearchableDocument,
  meter: OperationMeter,
  most: number,
): Steps<readonly BrokenRule[]> {
  let broken = NONE;
  for (const rule of rules) {
    const { asked } = rule;
    const found = asked.isPlain ? asked.valueOf(document) : yield* asked.valueInSteps(document, meter);
    if (meter.isStep(comparingOperations(found))) yield;
    if (rule.allows(found, document)) continue;
    broken = [...broken, { rule, found }];
    if (broken.length >= most) break;
  }
  return broken;
}

const TYPE = new FilterField("type");
const STATUS = new FilterField("status");

function rulesOf({ filters, includeFaqs, onlyActiveIntents }: Filters): Rule[] {
  const rules: Rule[] = [];
  if (!includeFaqs) {
    rules.push({ field: "options.includeFaqs", wanted: false, asked: TYPE, allows: (found) => found !== "QNA" });
  }
  if (onlyActiveIntents) {
    const allows: Rule["allows"] = (found, { type }) => type !== "QNA" || found === "active";
    rules.push({ field: "options.onlyActiveIntents", wanted: true, asked: STATUS, allows });
  }
  for (const [field, wanted] of Object.entries(filters)) {
    const allows = (found: JsonValue | undefined): boolean => hasValue(found, wanted);
    rules.push({ field: `filters.${field}`, wanted, asked: new FilterField(field), allows });
  }
  return rules;
}
