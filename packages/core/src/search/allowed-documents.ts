import type { Documents } from "../index/documents.ts";
import { windowCountOf } from "../index/indexed-document.ts";
import type { AllowedKeys } from "../index/vectors/exact-scan.ts";
import type { Drop } from "../model/explanation.ts";
import type { FilterValue, JsonValue, SearchableDocument } from "../model/types.ts";
import type { OperationMeter, Sliced } from "../scheduling/time-slices.ts";
import { DottedPaths, type TakeValue } from "./dotted-paths.ts";
import { comparingOperations, dottedPathOf, type FieldReader, hasValue, plainReader } from "./filter.ts";
import type { SearchRequest } from "./request.ts";

/** The documents that a search may return; undefined if all. */
export type Allowed = AllowedDocuments | undefined;

/** A set of slots: the documents that a request's filters and switches allow. Valid until a document changes. */
class AllowedDocuments implements AllowedKeys {
  readonly #documents: Documents;
  /** By slot: 1 if the document is allowed. */
  readonly #slots: Uint8Array;
  #windows = 0;

  private constructor(documents: Documents) {
    this.#documents = documents;
    this.#slots = new Uint8Array(documents.slotCount);
  }

  /** Applies the rules to each document once: O(slots), plus the operations of comparing. */
  static *by(rules: Rules, documents: Documents, meter: OperationMeter): Sliced<AllowedDocuments> {
    const allowed = new AllowedDocuments(documents);
    const slots = allowed.#slots;
    for (let slot = 0; slot < slots.length; slot++) {
      const document = documents.at(slot);
      if (document !== undefined && rules.allow(document.document)) {
        slots[slot] = 1;
        allowed.#windows += windowCountOf(document);
      }
      if (meter.shouldYield(1 + rules.takeOperations())) yield;
    }
    return allowed;
  }

  /** True if the document of a slot is allowed. False for -1, which stands for no document. */
  has(slot: number): boolean {
    return this.#slots[slot] === 1;
  }

  /** Embedding windows of allowed documents, with or without a vector. */
  get keyCount(): number {
    return this.#windows;
  }

  /** The window numbers of allowed documents, one range for each document. */
  *keyRanges(): Generator<readonly [first: number, end: number], void> {
    for (let slot = 0; slot < this.#slots.length; slot++) {
      const document = this.#slots[slot] === 1 ? this.#documents.at(slot) : undefined;
      if (document !== undefined) yield [document.firstWindow, document.firstWindow + windowCountOf(document)];
    }
  }
}

/** The index as filters read it. */
export interface Filterable {
  readonly documents: Documents;
  readonly effort: OperationMeter;
  /** Rises whenever a document is added, removed or gets other fields. */
  readonly documentChanges: number;
}

/** Compiles the filters of a request into a set of slots. The last set is remembered until a document changes. */
export class FilterCache {
  readonly #index: Filterable;
  #last: { readonly request: Filters; readonly changes: number; readonly allowed: AllowedDocuments } | undefined;

  constructor(index: Filterable) {
    this.#index = index;
  }

  /** The documents that a request's filters and switches allow. */
  *allowedBy(request: Filters): Sliced<Allowed> {
    const rules = rulesOf(request);
    if (rules.length === 0) return undefined;
    const { documents, effort, documentChanges: changes } = this.#index;
    const last = this.#last;
    if (last !== undefined && last.changes === changes && areSame(last.request, request)) return last.allowed;
    const allowed = yield* AllowedDocuments.by(new Rules(rules), documents, effort);
    // If documents changed meanwhile, the number of changes has risen, and this entry is never used.
    this.#last = { request, changes, allowed };
    return allowed;
  }
}

/** The fields of a request that restrict its documents. */
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
): Sliced<readonly Drop[]> {
  const rules = new Rules(rulesOf(request));
  const dropped = rules.droppedBy(document);
  if (meter.shouldYield(rules.takeOperations())) yield;
  return dropped;
}

interface AnyRule {
  /** Its name in the request. */
  readonly field: string;
  readonly wanted: FilterValue;
}

/** A rule on a field that is read in one operation. */
interface PlainRule extends AnyRule {
  readonly read: FieldReader;
  /** True if a document with this value is allowed. */
  readonly allows: (found: JsonValue | undefined, document: SearchableDocument) => boolean;
}

/** A rule on a dotted path in metadata: it must lead to the wanted value. */
interface DottedRule extends AnyRule {
  readonly path: string;
}

type Rule = PlainRule | DottedRule;

function isDotted(rule: Rule): rule is DottedRule {
  return "path" in rule;
}

/** The rules of one request, compiled once for all documents. */
class Rules {
  readonly #all: readonly Rule[];
  readonly #plain: readonly PlainRule[];
  readonly #dotted: readonly DottedRule[];
  readonly #paths: DottedPaths;
  /** Dotted rules that the current document has met. */
  #met = 0;
  #operations = 0;

  constructor(rules: readonly Rule[]) {
    this.#all = rules;
    this.#plain = rules.filter((rule): rule is PlainRule => !isDotted(rule));
    this.#dotted = rules.filter(isDotted);
    this.#paths = new DottedPaths(this.#dotted.map(({ path }) => path));
  }

  /** True if all rules allow a document. Plain fields are checked first, and the check stops at the first that does not allow it. */
  allow(document: SearchableDocument): boolean {
    for (const rule of this.#plain) if (!this.#allows(rule, rule.read(document), document)) return false;
    if (this.#dotted.length === 0) return true;
    this.#met = 0;
    // `read` calls `#meet`, which adds to `#operations`: so the sum is updated after it has returned.
    const read = this.#paths.read(document.metaData, this.#meet);
    this.#operations += read;
    return this.#met === this.#dotted.length;
  }

  /** Created once: a closure for each document would take as long as checking it. */
  readonly #meet: TakeValue = (path, value) => {
    const rule = this.#dotted[path];
    return rule !== undefined && this.#has(value, rule) && ++this.#met < this.#dotted.length;
  };

  /** The rules that do not allow a document, in the order of the request. */
  droppedBy(document: SearchableDocument): readonly Drop[] {
    const values: JsonValue[] = [];
    const keep: TakeValue = (path, value) => {
      values[path] = value;
      return true;
    };
    this.#operations += this.#paths.read(document.metaData, keep);
    return this.#all.flatMap((rule) => {
      const found = isDotted(rule) ? values[this.#dotted.indexOf(rule)] : rule.read(document);
      if (isDotted(rule) ? this.#has(found, rule) : this.#allows(rule, found, document)) return [];
      const { field, wanted } = rule;
      return [{ field, wanted, ...(found === undefined ? {} : { found }) }];
    });
  }

  #has(found: JsonValue | undefined, { wanted }: AnyRule): boolean {
    this.#operations += comparingOperations(found, wanted);
    return hasValue(found, wanted);
  }

  #allows({ allows, wanted }: PlainRule, found: JsonValue | undefined, document: SearchableDocument): boolean {
    this.#operations += comparingOperations(found, wanted);
    return allows(found, document);
  }

  /** Returns the operations since the last call, and sets them to 0. */
  takeOperations(): number {
    const operations = this.#operations;
    this.#operations = 0;
    return operations;
  }
}

const TYPE = plainReader("type");
const STATUS = plainReader("status");

function rulesOf({ filters, includeFaqs, onlyActiveIntents }: Filters): Rule[] {
  const rules: Rule[] = [];
  if (!includeFaqs) {
    rules.push({ field: "options.includeFaqs", wanted: false, read: TYPE, allows: (found) => found !== "QNA" });
  }
  if (onlyActiveIntents) {
    const allows: PlainRule["allows"] = (found, { type }) => type !== "QNA" || found === "active";
    rules.push({ field: "options.onlyActiveIntents", wanted: true, read: STATUS, allows });
  }
  for (const [name, wanted] of Object.entries(filters)) {
    const rule = { field: `filters.${name}`, wanted };
    const path = dottedPathOf(name);
    if (path !== undefined) rules.push({ ...rule, path });
    else rules.push({ ...rule, read: plainReader(name), allows: (found) => hasValue(found, wanted) });
  }
  return rules;
}
