import type { SearchIndex } from "../index/search-index.ts";
import { indexingBytesMax } from "../log/heap-of-documents.ts";
import type { BotState } from "../log/state.ts";
import type { SearchableDocument } from "../model/types.ts";
import { mapGrowthBytes } from "../platform/heap-bytes.ts";
import type { HeldMemory, MemoryMeasure, MemoryNeed } from "../quotas/bot-memory.ts";

/** Bytes of a bot without a document: its log and its background jobs. Measured. */
const EMPTY_BOT_BYTES = 65_536;

/** Bytes of a create that is remembered by its idempotency key: two digests, an id and an entry. Measured. */
const REMEMBERED_CREATE_BYTES = 500;

/** Bytes of an agent or a channel with its name. */
const REGISTRATION_BYTES = 150;

/** Bytes of a document's stored vectors, without the codes. Measured. */
const STORED_VECTORS_BYTES = 500;

/** The least that is assumed of the index, in bytes for a UTF-16 unit of text. Plain text takes less, 1 to 3; lists take 9, headings or new words alone 30. */
const INDEX_BYTES_A_UNIT = 4;
/** Few texts have more than one new term per this number of units. */
const TERM_UNITS_MIN = 4;
/** With this number of indexed units, the average over the bot's own texts counts as much as {@link INDEX_BYTES_A_UNIT}. */
const KNOWN_UNITS = 1_048_576;
/** Bytes of the index for a document of a few words. Measured. */
const INDEX_BYTES_A_DOCUMENT = 300;

/**
 * Measures a bot's memory by an estimate of its state and index, within some 40 % for documents of any shape. It includes the index of text that still
 * waits to be indexed. O(1): it is called several times for each write, and after every use of the bot.
 * @param otherBytes bytes that the bot holds beside its state and index
 */
export function memoryMeasure(state: BotState, index: SearchIndex, otherBytes: () => number): MemoryMeasure {
  return {
    held: () => {
      const [heapBytes, indexBytes] = [stateBytes(state), index.bytes];
      const waitingBytes = Math.round(waitingUnits(state, index) * bytesAUnit(indexBytes, index));
      const bytes = heapBytes + indexBytes + index.vectorBytes + waitingBytes + otherBytes();
      return { bytes, heapBytes, waitingBytes };
    },
    indexBytesAUnit: () => bytesAUnit(index.bytes, index),
    emptyCaches: () => index.emptyCaches(),
  };
}

/** UTF-16 units of text that waits to be indexed. */
function waitingUnits({ articles, documents }: BotState, index: SearchIndex): number {
  return Math.max(0, articles.textUnits + documents.textUnits - index.documents.textLength);
}

/** The most memory that indexing a document takes. */
export function indexNeed({ id, titles, content }: SearchableDocument, index: SearchIndex): MemoryNeed {
  const texts = [...titles, ...content.map(({ md }) => md)];
  const units = texts.reduce((sum, text) => sum + text.length, 0);
  const before = index.documents.find(id)?.markdown.length ?? 0;
  const ofTerms = mapGrowthBytes(index.lexical.vocabularySize, units / TERM_UNITS_MIN);
  return {
    heapBytes: indexingBytesMax(texts) + ofTerms,
    growing: (units - before) * bytesAUnit(index.bytes, index),
  };
}

/** Measures the memory of a bot that has only its state yet. */
export function stateMeasure(state: BotState): MemoryMeasure {
  const held = (): HeldMemory => {
    const bytes = stateBytes(state);
    return { bytes, heapBytes: bytes, waitingBytes: 0 };
  };
  return { held, indexBytesAUnit: () => 0, emptyCaches: () => undefined };
}

/** The parts of the state that are more than one number. */
type Table = {
  [Part in keyof BotState]: BotState[Part] extends number ? never : Part;
}[keyof BotState];

/** Bytes of a bot's state, without its index. O(1). */
function stateBytes({ articles, documents, vectors, creates, agents, channels, vocabulary }: BotState): number {
  // A table without a line here does not compile.
  const bytes: Readonly<Record<Table, number>> = {
    articles: articles.heapBytes,
    documents: documents.heapBytes,
    // A source is small beside its documents.
    sources: 0,
    vectors: vectors.size * STORED_VECTORS_BYTES,
    creates: creates.size * REMEMBERED_CREATE_BYTES,
    agents: agents.size * REGISTRATION_BYTES,
    channels: channels.size * REGISTRATION_BYTES,
    vocabulary: vocabulary.heapBytes,
    // The windows hold one minute.
    window: 0,
    byteWindow: 0,
  };
  return Math.round(Object.values(bytes).reduce((sum, part) => sum + part, EMPTY_BOT_BYTES));
}

/** Bytes that an index of `bytes` will take for a UTF-16 unit of text, estimated from the text indexed so far. */
function bytesAUnit(bytes: number, { documents }: Pick<SearchIndex, "documents">): number {
  const ofTexts = Math.max(0, bytes - documents.count * INDEX_BYTES_A_DOCUMENT);
  const average = (KNOWN_UNITS * INDEX_BYTES_A_UNIT + ofTexts) / (KNOWN_UNITS + documents.textLength);
  return Math.max(INDEX_BYTES_A_UNIT, average);
}
