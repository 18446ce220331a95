import type { Documents } from "../../index/documents.ts";
import { type IndexedDocument, ordinalCountOf, windowCountOf } from "../../index/indexed-document.ts";
import type { AllowedKeys, KeyRanges } from "../../index/vectors/exact-scan.ts";
import type { WindowNumbers } from "../../index/window-numbers.ts";
import type { Drop } from "../../model/explanation.ts";
import type { SearchableDocument } from "../../model/types.ts";
import { GrowingUint32 } from "../../platform/growing-array.ts";
import { LruMap } from "../../platform/lru-map.ts";
import type { OperationMeter, Sliced } from "../../scheduling/time-slices.ts";
import type { SearchRequest } from "../request.ts";
import { FilterProgram } from "./filter-program.ts";
import { condition, type Rule, rulesOfFilter } from "./filter-tree.ts";

/** The documents that a search may return; undefined if all. */
export type Allowed = AllowedDocuments | undefined;

/** A set of slots: the documents that a request's filters and switches allow. Valid until a document changes. */
class AllowedDocuments implements AllowedKeys {
  readonly #documents: Documents;
  readonly #windowNumbers: WindowNumbers;
  /** By slot: 1 if the document is allowed. */
  readonly #slots: Uint8Array;
  /** The slots of allowed documents; undefined if they are more than {@link LISTED_SHARE_MAX}. */
  #listed: GrowingUint32 | undefined = new GrowingUint32();
  #windows = 0;
  #ordinals = 0;

  private constructor({ documents, windows }: Filterable) {
    this.#documents = documents;
    this.#windowNumbers = windows;
    this.#slots = new Uint8Array(documents.slotCount);
  }

  /** Runs the program on each document once: O(slots), plus the operations of comparing. */
  static *by(program: FilterProgram, index: Filterable): Sliced<AllowedDocuments> {
    const { documents, effort: meter } = index;
    const allowed = new AllowedDocuments(index);
    const slots = allowed.#slots;
    for (let slot = 0; slot < slots.length; slot++) {
      const document = documents.at(slot);
      if (document !== undefined) {
        // Written out: a generator for each document would take as long as most checks.
        program.begin(document.document);
        while (!program.run()) if (meter.shouldYield(program.takeOperations())) yield;
        if (program.isAllowed) allowed.#add(slot, document);
      }
      if (meter.shouldYield(1 + program.takeOperations())) yield;
    }
    return allowed;
  }

  #add(slot: number, document: IndexedDocument): void {
    this.#slots[slot] = 1;
    this.#windows += windowCountOf(document);
    this.#ordinals += ordinalCountOf(document);
    const listed = this.#listed;
    if (listed === undefined) return;
    if (listed.length >= this.#slots.length * LISTED_SHARE_MAX) this.#listed = undefined;
    else listed.push(slot);
  }

  /** Bytes of the set. */
  get bytes(): number {
    return this.#slots.length + (this.#listed?.bytes ?? 0);
  }

  /** True if the document of a slot is allowed. False for -1, which stands for no document. */
  has(slot: number): boolean {
    return this.#slots[slot] === 1;
  }

  /** Embedding windows of allowed documents, with or without a vector. */
  get keyCount(): number {
    return this.#windows;
  }

  /** True if a window belongs to an allowed document. */
  hasKey(window: number): boolean {
    return this.has(this.#documents.slotOf(this.#windowNumbers.ordinalOf(window)));
  }

  /** Passages and question variants of allowed documents. */
  get passageCount(): number {
    return this.#ordinals;
  }

  /** The ordinals of allowed documents, as ranges. */
  passageRanges(): KeyRanges {
    return this.#ranges(PASSAGES);
  }

  /** The window numbers of allowed documents, as ranges. */
  keyRanges(): KeyRanges {
    return this.#ranges({ firstOf: (document) => document.firstWindow, countOf: windowCountOf });
  }

  #ranges(numbers: Numbers): KeyRanges {
    const slots = this.#listed?.view() ?? this.#slots;
    return new DocumentRanges(this.#documents, slots, this.#listed !== undefined, numbers);
  }
}

/** Slots are listed if they are at most this share: then the list takes about as much memory as the set. */
const LISTED_SHARE_MAX = 0.25;

/** Which numbers of a document a range is made of. */
interface Numbers {
  readonly firstOf: (document: IndexedDocument) => number;
  readonly countOf: (document: IndexedDocument) => number;
}

const PASSAGES: Numbers = { firstOf: ({ firstOrdinal }) => firstOrdinal, countOf: ordinalCountOf };

/** A longer range ends with its document, so that no call of `next` visits very many documents. */
const RANGE_NUMBERS_MAX = 4_096;

/** The ranges of numbers of allowed documents. Ranges that touch are one, up to {@link RANGE_NUMBERS_MAX}. */
class DocumentRanges implements KeyRanges {
  first = 0;
  end = 0;
  readonly #documents: Documents;
  /** Slots, or 1 for each allowed slot; undefined if all are allowed. */
  readonly #slots: Uint32Array | Uint8Array | undefined;
  readonly #isListed: boolean;
  readonly #numbers: Numbers;
  /** The place in {@link #slots} from which the next document is looked for. */
  #at = 0;

  constructor(documents: Documents, slots: Uint32Array | Uint8Array | undefined, isListed: boolean, numbers: Numbers) {
    this.#documents = documents;
    this.#slots = slots;
    this.#isListed = isListed;
    this.#numbers = numbers;
  }

  next(): boolean {
    let document = this.#next();
    if (document === undefined) return false;
    const { firstOf, countOf } = this.#numbers;
    this.first = firstOf(document);
    this.end = this.first + countOf(document);
    while (this.end - this.first < RANGE_NUMBERS_MAX) {
      const before = this.#at;
      document = this.#next();
      if (document === undefined || firstOf(document) !== this.end) {
        this.#at = document === undefined ? this.#end : before;
        return true;
      }
      this.end += countOf(document);
    }
    return true;
  }

  #next(): IndexedDocument | undefined {
    const slots = this.#slots;
    const end = this.#end;
    while (this.#at < end) {
      const at = this.#at++;
      const slot = slots === undefined ? at : this.#isListed ? (slots[at] as number) : slots[at] === 1 ? at : -1;
      const document = slot < 0 ? undefined : this.#documents.at(slot);
      if (document !== undefined) return document;
    }
    return undefined;
  }

  get #end(): number {
    return this.#slots?.length ?? this.#documents.slotCount;
  }
}

/** The ordinals of allowed documents, as ranges; of all documents if `allowed` is undefined. */
export function passageRanges(documents: Documents, allowed: Allowed): KeyRanges {
  return allowed?.passageRanges() ?? new DocumentRanges(documents, undefined, false, PASSAGES);
}

/** The index as filters read it. */
export interface Filterable {
  readonly documents: Documents;
  readonly windows: WindowNumbers;
  readonly effort: OperationMeter;
  /** Rises whenever a document is added, removed or gets other fields. */
  readonly documentChanges: number;
}

/** Sets of slots that are remembered, at most. */
const SETS_MAX = 8;

/** Bytes of all remembered sets. The last one is always remembered. */
const SETS_BYTES_MAX = 1_048_576;

/** A longer filter is not remembered: comparing it would take as long as some thousand documents. */
const KEY_CHARACTERS_MAX = 16_384;

/** Compiles the filters of a request into a set of slots. The sets of the last filters are remembered until a document changes. */
export class FilterCache {
  readonly #index: Filterable;
  /** By filter. */
  readonly #sets = new LruMap<string, AllowedDocuments>(SETS_BYTES_MAX);
  /** The version of the documents that the sets belong to. */
  #changes = -1;

  constructor(index: Filterable) {
    this.#index = index;
  }

  /** The documents that a request's filters and switches allow. */
  *allowedBy(request: Filters): Sliced<Allowed> {
    const rules = rulesOf(request);
    if (rules.length === 0) return undefined;
    const { documentChanges: changes } = this.#index;
    const key = keyOf(request);
    if (changes !== this.#changes) this.#sets.clear();
    this.#changes = changes;
    const known = key === undefined ? undefined : this.#sets.get(key);
    if (known !== undefined) return known;
    const program = new FilterProgram({ kind: "all", of: rules.map(({ node }) => node) });
    const allowed = yield* AllowedDocuments.by(program, this.#index);
    // If documents changed meanwhile, the set is that of no version of the index.
    if (key !== undefined && this.#index.documentChanges === changes) this.#sets.set(key, allowed, sizeOf(allowed));
    return allowed;
  }
}

/** The size of a set as it counts in the cache: at most {@link SETS_MAX} sets fit, and one that is too large for others fits alone. */
function sizeOf({ bytes }: AllowedDocuments): number {
  return Math.min(SETS_BYTES_MAX, Math.max(SETS_BYTES_MAX / SETS_MAX, bytes));
}

/** The fields of a request that restrict its documents. */
type Filters = Pick<SearchRequest, "filters" | "includeFaqs" | "onlyActiveIntents">;

/** A text that is the same for the same filters and switches; undefined if it would be too long. */
function keyOf({ filters, includeFaqs, onlyActiveIntents }: Filters): string | undefined {
  const key = JSON.stringify([filters, includeFaqs, onlyActiveIntents]);
  return key.length <= KEY_CHARACTERS_MAX ? key : undefined;
}

/** The filters and switches of a request that drop a document. Of a group it names the group. */
export function* droppedBy(
  request: Filters,
  document: SearchableDocument,
  meter: OperationMeter,
): Sliced<readonly Drop[]> {
  const dropped: Drop[] = [];
  for (const { field, wanted, node, shown } of rulesOf(request)) {
    const program = new FilterProgram(node);
    program.begin(document);
    while (!program.run()) if (meter.shouldYield(program.takeOperations())) yield;
    if (!program.isAllowed) {
      const found = shown === undefined ? undefined : program.valueOf(shown);
      dropped.push({ field, wanted, ...(found === undefined ? {} : { found }) });
    }
    if (meter.shouldYield(1 + program.takeOperations())) yield;
  }
  return dropped;
}

function rulesOf({ filters, includeFaqs, onlyActiveIntents }: Filters): Rule[] {
  const rules: Rule[] = [];
  const isNoFaq = condition("type", { operator: "ne", wanted: "QNA" });
  if (!includeFaqs) rules.push({ field: "options.includeFaqs", wanted: false, node: isNoFaq, shown: "type" });
  if (onlyActiveIntents) {
    const isActive = condition("status", { operator: "eq", wanted: "active" });
    const node = { kind: "any", of: [isNoFaq, isActive] } as const;
    rules.push({ field: "options.onlyActiveIntents", wanted: true, node, shown: "status" });
  }
  return [...rules, ...rulesOfFilter(filters)];
}
