import { articleBytes } from "../model/article-bytes.ts";
import type { ArticleSize } from "../model/bot-limits.ts";
import type { ArticleFields, BotRecord, Charge, RecordOf } from "../model/records.ts";
import type { DocumentStatus, StoredDocument } from "../model/types.ts";
import type { BotCapacity } from "../quotas/bot-capacity.ts";
import type { Growth } from "../quotas/bot-memory.ts";
import { applyArticleDelete, applyArticlePut } from "./apply-articles.ts";
import {
  applyDocumentBrought,
  applyDocumentDelete,
  applyDocumentOrigin,
  applyDocumentPut,
  applyDocumentStatus,
} from "./apply-documents.ts";
import { applySourceArgument, applySourceMove, applySourceRemove } from "./apply-sources.ts";
import { applyVectors } from "./apply-vectors.ts";
import { documentGrowth, growthBetween, recordGrowth, vocabularyGrowth } from "./growth.ts";
import { type IndexChange, UNCHANGED } from "./index-change.ts";
import type { BotState } from "./state.ts";
import {
  checkArticlePut,
  checkDocumentBrought,
  checkDocumentOrigin,
  checkDocumentPut,
  checkDocumentStatus,
  checkSourceArgument,
  checkSourceMove,
  checkSourceRemove,
  checkVocabularySet,
} from "./stored-shapes.ts";

/** Everything that depends on the kind of a record. No field is optional, so a kind that lacks one does not compile. */
export interface RecordKind<Kinds extends BotRecord> {
  /** Checks a stored record, so that `apply` and readers of the state can rely on its fields. @throws LoredexError `CORRUPT` */
  readonly check: (record: Kinds) => void;
  /** Turns the record into state, both after a write and in replay. It is total. `binary` is copied. */
  readonly apply: (state: BotState, record: Kinds, sequence: number, binary: Uint8Array) => IndexChange;
  /** The capacity and memory that a record needs; undefined if it cannot make the bot larger. Such a record is never refused. */
  readonly takes: Taking<Kinds> | undefined;
  /** Memory growth by a record of `bytes` bytes, over the version that it replaces. */
  readonly growth: (record: Kinds, bytes: number, state: BotState) => Growth;
  /** What a record of this kind adds to the rate windows, also if another node has appended it; undefined if its writer is charged nothing. */
  readonly charged: ((record: Kinds) => Charged) | undefined;
  /** The article or document that salvage reads out of a record; undefined if it holds neither. */
  readonly holds: Held<Kinds> | undefined;
  /** The field that the error for a too long record names. */
  readonly field: "article" | "document" | "vocabulary";
}

/** The charge of a record, and the size of the article that it brings. */
interface Charged {
  readonly size: ArticleSize;
  readonly charge: Charge;
}

/** The needs of a record, beside its bytes. */
interface Taking<Kinds extends BotRecord> {
  /** Whether the commit requires memory. Articles have required it before their quota check. Vectors are never refused for memory. */
  readonly requiresMemory: boolean;
  /** Requires capacity for a source or a registration that the record adds, beside `inFlight` writes. @throws LoredexError `BOT_FULL` */
  readonly requireCapacity: (record: Kinds, state: BotState, capacity: BotCapacity, inFlight: number) => void;
}

/** The content of a record about one article or document. */
type Held<Kinds extends BotRecord> =
  | { readonly of: "articles"; readonly read: (record: Kinds) => Version<ArticleFields> }
  | { readonly of: "documents"; readonly read: (record: Kinds) => Version<StoredDocument> }
  | {
      readonly of: "statuses";
      readonly read: (record: Kinds) => { readonly id: string; readonly status: DocumentStatus };
    };

/** One version of an article or a document; `item` is undefined where it was deleted. */
export interface Version<Item> {
  readonly id: string;
  readonly item: Item | undefined;
}

/** The table of all kinds of a bot's records. Its keys are the kinds that this version can read. */
export const RECORD_KINDS: { readonly [Kind in BotRecord["kind"]]: RecordKind<RecordOf<Kind>> } = {
  articlePut: {
    check: checkArticlePut,
    apply: applyArticlePut,
    takes: { requiresMemory: false, requireCapacity: nothing },
    growth: ({ article }, _, state) => growthBetween(state.articles.get(article.id)?.fields, article),
    charged: ({ article, charge }) => ({
      size: { characters: article.characterCount, bytes: articleBytes(article) },
      charge,
    }),
    holds: { of: "articles", read: ({ article }) => ({ id: article.id, item: article }) },
    field: "article",
  },
  articleDelete: {
    check: nothing,
    apply: applyArticleDelete,
    takes: undefined,
    growth: byBytes,
    charged: undefined,
    holds: { of: "articles", read: deleted },
    field: "document",
  },
  documentPut: {
    check: checkDocumentPut,
    apply: applyDocumentPut,
    takes: { requiresMemory: true, requireCapacity: nothing },
    growth: byDocument,
    charged: undefined,
    holds: { of: "documents", read: document },
    field: "document",
  },
  documentBrought: {
    check: checkDocumentBrought,
    apply: applyDocumentBrought,
    takes: { requiresMemory: true, requireCapacity: ofOrigin },
    growth: byDocument,
    charged: undefined,
    holds: { of: "documents", read: document },
    field: "document",
  },
  documentOrigin: {
    check: checkDocumentOrigin,
    apply: applyDocumentOrigin,
    takes: { requiresMemory: true, requireCapacity: ofOrigin },
    growth: byBytes,
    charged: undefined,
    holds: undefined,
    field: "document",
  },
  documentStatus: {
    check: checkDocumentStatus,
    apply: applyDocumentStatus,
    takes: undefined,
    growth: byBytes,
    charged: undefined,
    holds: { of: "statuses", read: (record) => record },
    field: "document",
  },
  documentDelete: {
    check: nothing,
    apply: applyDocumentDelete,
    takes: undefined,
    growth: byBytes,
    charged: undefined,
    holds: { of: "documents", read: deleted },
    field: "document",
  },
  sourceArgument: {
    check: checkSourceArgument,
    apply: applySourceArgument,
    takes: {
      requiresMemory: true,
      requireCapacity: ({ source }, state, capacity, inFlight) => requireSource(source, state, capacity, inFlight),
    },
    growth: byBytes,
    charged: undefined,
    holds: undefined,
    field: "document",
  },
  sourceMove: {
    check: checkSourceMove,
    apply: applySourceMove,
    takes: undefined,
    growth: byBytes,
    charged: undefined,
    holds: undefined,
    field: "document",
  },
  sourceRemove: {
    check: checkSourceRemove,
    apply: applySourceRemove,
    takes: undefined,
    growth: byBytes,
    charged: undefined,
    holds: undefined,
    field: "document",
  },
  agentPut: registrationPut((state) => state.agents),
  agentDelete: registrationDelete((state) => state.agents),
  channelPut: registrationPut((state) => state.channels),
  channelDelete: registrationDelete((state) => state.channels),
  vocabularySet: {
    check: checkVocabularySet,
    apply: (state, { vocabulary }) => {
      state.vocabulary.set(vocabulary);
      return UNCHANGED;
    },
    takes: { requiresMemory: true, requireCapacity: nothing },
    growth: ({ vocabulary }, _, state) => vocabularyGrowth(state.vocabulary.current, vocabulary),
    charged: undefined,
    holds: undefined,
    field: "vocabulary",
  },
  vectors: {
    check: nothing,
    apply: applyVectors,
    takes: { requiresMemory: false, requireCapacity: nothing },
    growth: byBytes,
    charged: undefined,
    holds: undefined,
    field: "document",
  },
};

/** The row of a record's kind. */
export function kindOf(record: BotRecord): RecordKind<BotRecord> {
  // The row takes records of its own kind, and the record names the row. TypeScript cannot relate the two.
  return RECORD_KINDS[record.kind] as RecordKind<BotRecord>;
}

type Registered = (state: BotState) => Map<string, boolean>;

function registrationPut(of: Registered): RecordKind<RecordOf<"agentPut" | "channelPut">> {
  return {
    check: nothing,
    apply: (state, { name, active }) => {
      of(state).set(name, active);
      return UNCHANGED;
    },
    takes: {
      requiresMemory: true,
      requireCapacity: ({ name }, state, capacity, inFlight) => {
        if (!of(state).has(name)) capacity.requireRegistration(of(state).size + inFlight);
      },
    },
    growth: byBytes,
    charged: undefined,
    holds: undefined,
    field: "document",
  };
}

function registrationDelete(of: Registered): RecordKind<RecordOf<"agentDelete" | "channelDelete">> {
  return {
    check: nothing,
    apply: (state, { name }) => {
      of(state).delete(name);
      return UNCHANGED;
    },
    takes: undefined,
    growth: byBytes,
    charged: undefined,
    holds: undefined,
    field: "document",
  };
}

/** Does nothing. Used if the fields may have any value, or if the record adds nothing with a capacity of its own. */
function nothing(): void {}

function ofOrigin(
  { origin }: RecordOf<"documentBrought" | "documentOrigin">,
  state: BotState,
  capacity: BotCapacity,
  inFlight: number,
): void {
  requireSource(origin.source, state, capacity, inFlight);
}

/** Requires capacity for the source that a record names. The record creates the source if none has the name. */
function requireSource(source: string, state: BotState, capacity: BotCapacity, inFlight: number): void {
  if (state.sources.get(source) === undefined) capacity.requireSource(state.sources.size + inFlight);
}

function byBytes(_record: BotRecord, bytes: number): Growth {
  return recordGrowth(bytes);
}

function byDocument(
  { document: after }: RecordOf<"documentPut" | "documentBrought">,
  _bytes: number,
  state: BotState,
): Growth {
  return documentGrowth(state.documents.get(after.resourceDocId)?.document, after);
}

function document(record: RecordOf<"documentPut" | "documentBrought">): Version<StoredDocument> {
  return { id: record.document.resourceDocId, item: record.document };
}

function deleted({ id }: RecordOf<"articleDelete" | "documentDelete">): Version<never> {
  return { id, item: undefined };
}
