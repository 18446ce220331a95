import { VECTORS_SECTION } from "../model/derived-sections.ts";
import { LoredexError } from "../model/errors.ts";
import type { ArticleFields } from "../model/records.ts";
import type { Vocabulary } from "../model/vocabulary-types.ts";
import { bytePieces, entriesOf, entryHead, entryInPieces, newEntry } from "../platform/section-entries.ts";
import { inSlices, SLICING, type Slicing } from "../scheduling/in-slices.ts";
import type { Sliced } from "../scheduling/time-slices.ts";
import type { LoadedSection, LoadedSnapshot, SnapshotSection } from "../storage/store.ts";
import { type VersionedArticle, versioned } from "./article-table.ts";
import { documentBytes, isLarge } from "./document-size.ts";
import type { VersionedDocument } from "./document-table.ts";
import type { RememberedCreate } from "./remembered-creates.ts";
import { type BotState, emptyState } from "./state.ts";
import {
  checkedArticle,
  checkedCreates,
  checkedDocument,
  checkedOrigin,
  checkedSource,
  checkedVocabulary,
  isTime,
} from "./stored-shapes.ts";
import type { StoredVectors } from "./vector-table.ts";

/**
 * The five sections of a bot's state in a snapshot. Four of them hold entries (`section-entries.ts`): JSON, then bytes.
 *
 *     section     JSON of an entry                 bytes of an entry
 *     articles    fields without body, version     the body as UTF-8: text is decoded much faster than a JSON string is parsed
 *     sources     the stored source                none
 *     documents   the document, hash, origin, time none
 *     vectors     document id, version, space      the codes
 *     accounts    one JSON object: both rate windows, idempotency keys, agents, channels, and a vocabulary if there is one
 */
const VERSION = 1;
/** In version 1 a document held its source's name, and there was no section of sources. */
const DOCUMENTS_VERSION = 2;
/** Version 1 has no vocabulary, which a program of that time would lose. It is still written where the bot has none. */
const ACCOUNTS_VERSION = 2;
export const ARTICLES = "articles";
export const DOCUMENTS = "documents";
const SOURCES = "sources";
const ACCOUNTS = "accounts";

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** A part of the state that is neither counted from the articles, nor the snapshot's own sequence number. */
type StoredPart = Exclude<keyof BotState, "characterUsed" | "sequence">;

/** The sections of the state at the moment of the call. They are encoded later, in time slices, since objects of the state never change. */
export function stateSections(
  state: BotState,
  slicing: Slicing = SLICING,
  creates: readonly RememberedCreate[] = state.creates.all(),
): SnapshotSection[] {
  // A part without a line here does not compile.
  const parts = {
    articles: [...state.articles.values()],
    documents: [...state.documents.values()],
    sources: state.sources.all(),
    vectors: [...state.vectors],
    window: state.window.admissions(),
    byteWindow: state.byteWindow.admissions().map(({ atMs, characters }) => ({ atMs, bytes: characters })),
    lastChargeMs: state.lastChargeMs,
    lastCreatedAtMs: state.lastCreatedAtMs,
    creates,
    agents: [...state.agents],
    channels: [...state.channels],
    vocabulary: state.vocabulary.isEmpty ? undefined : state.vocabulary.current,
  } satisfies Record<StoredPart, unknown>;
  const { articles, documents, sources, vectors, window: admissions, byteWindow: byteAdmissions, ...others } = parts;
  // Earlier versions of Loredex ignore `byteAdmissions`.
  const accounts = { admissions, byteAdmissions, ...others };
  const accountsVersion = parts.vocabulary === undefined ? VERSION : ACCOUNTS_VERSION;
  return [
    { name: ARTICLES, version: VERSION, chunks: inSlices(entries(articles, encodeArticle), slicing) },
    {
      name: SOURCES,
      version: VERSION,
      chunks: inSlices(
        entries(sources, (source) => newEntry(source, 0).entry),
        slicing,
      ),
    },
    { name: DOCUMENTS, version: DOCUMENTS_VERSION, chunks: inSlices(documentEntries(documents), slicing) },
    { name: VECTORS_SECTION, version: VERSION, chunks: inSlices(vectorEntries(vectors), slicing) },
    { name: ACCOUNTS, version: accountsVersion, chunks: [encoder.encode(JSON.stringify(accounts))] },
  ];
}

/** Fills an empty state from a snapshot, in time slices. @throws LoredexError `UNSUPPORTED_FORMAT` if a newer version wrote the snapshot */
export function* stateFromSections(snapshot: LoadedSnapshot, state: BotState = emptyState()): Sliced<BotState> {
  state.sequence = snapshot.sequence;
  for (const article of articlesOf(sectionNamed(snapshot, ARTICLES))) {
    state.articles.set(article.fields.id, article);
    state.characterUsed += article.fields.characterCount;
    yield;
  }
  yield* readDocuments(snapshot, state);
  // If the section was dropped, the embedder makes the vectors again.
  if (!isDropped(snapshot, VECTORS_SECTION)) {
    for (const [id, vectors] of vectorsOf(sectionNamed(snapshot, VECTORS_SECTION))) {
      state.vectors.set(id, vectors);
      yield;
    }
  }
  const accounts = JSON.parse(decoder.decode(bytesOfSection(sectionNamed(snapshot, ACCOUNTS), ACCOUNTS_VERSION))) as {
    admissions: { atMs: number; characters: number }[];
    /** Absent in snapshots of versions that kept none. */
    byteAdmissions?: { atMs: number; bytes: number }[];
    lastChargeMs: number;
    lastCreatedAtMs: number;
    /** Absent in snapshots of versions that kept none. */
    creates?: unknown;
    agents: [string, boolean][];
    channels: [string, boolean][];
    /** Absent if the bot has none. */
    vocabulary?: Vocabulary;
  };
  const { byteAdmissions = [] } = accounts;
  const admitted = [...accounts.admissions, ...byteAdmissions].map(({ atMs }) => atMs);
  const times = [accounts.lastChargeMs, accounts.lastCreatedAtMs, ...admitted];
  if (!times.every(isTime)) throw new LoredexError("CORRUPT", "The snapshot's rate window has a time that is none.");
  for (const { characters, atMs } of accounts.admissions) state.window.add(characters, atMs);
  for (const { bytes, atMs } of byteAdmissions) state.byteWindow.add(bytes, atMs);
  for (const [name, active] of accounts.agents) state.agents.set(name, active);
  for (const [name, active] of accounts.channels) state.channels.set(name, active);
  for (const create of checkedCreates(accounts.creates ?? [])) state.creates.add(create);
  if (accounts.vocabulary !== undefined) state.vocabulary.set(checkedVocabulary(accounts.vocabulary));
  state.lastChargeMs = accounts.lastChargeMs;
  state.lastCreatedAtMs = accounts.lastCreatedAtMs;
  return state;
}

function* readDocuments(snapshot: LoadedSnapshot, { documents, sources }: BotState): Sliced<void> {
  const section = sectionNamed(snapshot, DOCUMENTS);
  if (section.version !== VERSION) {
    for (const { meta } of entriesOf(bytesOfSection(sectionNamed(snapshot, SOURCES)))) {
      sources.set(checkedSource(meta));
      yield;
    }
  }
  for (const { source, ...known } of documentsOf(section)) {
    // Sources of version 1 have no ids. Negative ids belong to no record.
    const origin = source === undefined ? known.origin : sources.stored({ source }, -1 - sources.size);
    const bytes = documentBytes(known.document);
    documents.set(known.document.resourceDocId, { ...known, bytes, ...(origin !== undefined && { origin }) });
    sources.count(undefined, origin);
    yield;
  }
}

function encodeArticle({ fields, version }: VersionedArticle): Uint8Array {
  const { body } = fields;
  const { entry, at } = newEntry({ ...fields, body: undefined, version }, Buffer.byteLength(body));
  entry.write(body, at);
  return entry;
}

function encodeDocument({ bytes: _, ...known }: VersionedDocument): Iterable<Uint8Array> {
  return isLarge(known.document) ? entryInPieces(known) : [newEntry(known, 0).entry];
}

function* vectorEntries(vectors: readonly (readonly [string, StoredVectors])[]): Generator<Uint8Array, void> {
  for (const [id, { codes, ...rest }] of vectors) {
    yield entryHead({ id, ...rest }, codes.length);
    yield* bytePieces(codes);
  }
}

function* documentEntries(documents: readonly VersionedDocument[]): Generator<Uint8Array, void> {
  for (const document of documents) yield* encodeDocument(document);
}

function* entries<Item>(items: readonly Item[], encode: (item: Item) => Uint8Array): Generator<Uint8Array, void> {
  for (const item of items) yield encode(item);
}

/** Reads the articles of a section. @throws LoredexError `UNSUPPORTED_FORMAT` */
export function* articlesOf(section: LoadedSection): Generator<VersionedArticle> {
  for (const { meta, bytes } of entriesOf(bytesOfSection(section))) {
    // Boundary for this file: the section's checksum has been verified and this version of the format wrote it.
    const { version, ...fields } = meta as Omit<ArticleFields, "body"> & { readonly version: number };
    yield versioned(checkedArticle({ ...fields, body: decoder.decode(bytes) }), version);
  }
}

/** Reads the imported documents of a section. @throws LoredexError `UNSUPPORTED_FORMAT` */
export function* documentsOf(section: LoadedSection): Generator<StoredDocumentEntry> {
  for (const { meta } of entriesOf(bytesOfSection(section, DOCUMENTS_VERSION))) {
    const known = meta as StoredDocumentEntry;
    checkedDocument(known.document);
    checkedOrigin(known);
    yield known;
  }
}

/** A document's entry in a snapshot. */
interface StoredDocumentEntry extends Omit<VersionedDocument, "bytes"> {
  /** Name of the source, in version 1 only. */
  readonly source?: string;
}

/** Reads the vectors of a section, by document. @throws LoredexError `UNSUPPORTED_FORMAT`, `CORRUPT` */
function* vectorsOf(section: LoadedSection): Generator<readonly [id: string, vectors: StoredVectors]> {
  for (const { meta, bytes } of entriesOf(bytesOfSection(section))) {
    const { id, ...vectors } = meta as Omit<StoredVectors, "codes"> & { readonly id: string };
    if (typeof id !== "string" || !(bytes.length % vectors.space.dimensions === 0)) {
      throw new LoredexError("CORRUPT", "The snapshot has vectors that are none.");
    }
    yield [id, { ...vectors, codes: new Int8Array(bytes) }];
  }
}

function isDropped({ dropped = [] }: LoadedSnapshot, section: string): boolean {
  return dropped.some(({ name }) => name === section);
}

function sectionNamed(snapshot: LoadedSnapshot, name: string): LoadedSection {
  const section = snapshot.sections.get(name);
  if (section === undefined) throw new LoredexError("CORRUPT", `The snapshot has no section "${name}".`);
  return section;
}

function bytesOfSection({ name, version, bytes }: LoadedSection, newest = VERSION): Uint8Array {
  if (version >= VERSION && version <= newest) return bytes;
  throw new LoredexError(
    "UNSUPPORTED_FORMAT",
    `Section "${name}" of the snapshot has version ${version}; this version of Loredex reads ${newest}. A newer one wrote it: use that one.`,
  );
}
