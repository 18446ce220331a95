import type { MemoryMeasure, MemoryNeed } from "../accounting/bot-memory.ts";
import type { SearchableDocument } from "../domain/types.ts";
import type { SearchIndex } from "../query/search-index.ts";
import { mapGrowthBytes } from "../runtime/heap-bytes.ts";
import { indexingBytesMax } from "../state/heap-of-documents.ts";
import type { BotState } from "../state/state.ts";

/** What a bot without a document takes: its log and all that looks after it. Measured. */
const EMPTY_BOT_BYTES = 65_536;

/** A create that is known by its idempotency key: two digests, an id and an entry. Measured. */
const REMEMBERED_CREATE_BYTES = 500;

/** An agent or a channel with its name. */
const REGISTRATION_BYTES = 150;

/** A document's vectors by an embedder, without the codes. Measured. */
const STORED_VECTORS_BYTES = 500;

/** Bytes of the index for a UTF-16 unit of text, at least. Plain text takes 1 to 3, lists 9, headings or new words alone 30. */
const INDEX_BYTES_A_UNIT = 4;
/** Few texts have more terms of their own than one for so many units. */
const TERM_UNITS_MIN = 4;
/** The average over a bot's texts counts as much as that from this number of units on. */
const KNOWN_UNITS = 1_048_576;
/** Bytes of the index for a document of a few words. Measured. */
const INDEX_BYTES_A_DOCUMENT = 300;

/**
 * Estimates the memory of an open bot's state and index, in bytes, within some 40 % for documents of any shape. It includes what the index will take for text that
 * waits to be indexed. O(1): it is asked after every call.
 */
export function estimatedBytes(state: BotState, index: SearchIndex): number {
  return stateBytes(state) + index.bytes + index.vectorBytes + waitingBytes(state, index);
}

/** What the index will take for text that waits to be indexed. */
function waitingBytes({ articles, documents }: BotState, index: SearchIndex): number {
  const units = Math.max(0, articles.textUnits + documents.textUnits - index.documents.textLength);
  return Math.round(units * indexBytesAUnit(index));
}

/** The most that an index takes to read a document. */
export function indexNeed({ id, titles, content }: SearchableDocument, index: SearchIndex): MemoryNeed {
  const texts = [...titles, ...content.map(({ md }) => md)];
  const units = texts.reduce((sum, text) => sum + text.length, 0);
  const before = index.documents.find(id)?.markdown.length ?? 0;
  const ofTerms = mapGrowthBytes(index.lexical.vocabularySize, units / TERM_UNITS_MIN);
  return {
    heapBytes: indexingBytesMax(texts) + ofTerms,
    growing: (units - before) * indexBytesAUnit(index),
  };
}

/** How a bot measures its memory, by its own estimate of all of it. */
export function memoryMeasure(state: BotState, index: SearchIndex, bytes: () => number): MemoryMeasure {
  return {
    held: () => ({ bytes: bytes(), heapBytes: stateBytes(state), waitingBytes: waitingBytes(state, index) }),
    indexBytesAUnit: () => indexBytesAUnit(index),
  };
}

/** The state of a bot without its index. */
export function stateBytes({ articles, documents, vectors, creates, agents, channels }: BotState): number {
  return Math.round(
    EMPTY_BOT_BYTES +
      articles.heapBytes +
      documents.heapBytes +
      vectors.size * STORED_VECTORS_BYTES +
      creates.size * REMEMBERED_CREATE_BYTES +
      (agents.size + channels.size) * REGISTRATION_BYTES,
  );
}

/** Bytes that the index will take for a UTF-16 unit of text, judged by the text that it has read. */
function indexBytesAUnit({ bytes, documents }: Pick<SearchIndex, "bytes" | "documents">): number {
  const ofTexts = Math.max(0, bytes - documents.count * INDEX_BYTES_A_DOCUMENT);
  const average = (KNOWN_UNITS * INDEX_BYTES_A_UNIT + ofTexts) / (KNOWN_UNITS + documents.textLength);
  return Math.max(INDEX_BYTES_A_UNIT, average);
}
