/**
 * Derived data of a bot in its backup. A bot that is restored with it answers at once as before, and no encoder reads its texts again.
 *
 *     section "token-codes"   an entry { label }, then for each block an entry { id, version, first, partBytes } with the bytes of its parts
 *     section "graph"         the HNSW graph, as in the store's cache
 *
 * Both follow all other sections. A restore puts them into the store's blocks and cache, never into a snapshot.
 */

import type { KeptBlock } from "../index/token-codes/kept-codes.ts";
import { GRAPH_CACHE } from "../model/derived-sections.ts";
import { LoredexError } from "../model/errors.ts";
import { SECTION_BYTES_MAX } from "../model/limits.ts";
import { isCount } from "../model/validation.ts";
import { entriesInStream, newEntry } from "../platform/section-entries.ts";
import { BLOCK_BYTES_MAX, BLOCK_ID_BYTES_MAX, BLOCK_PARTS_MAX } from "../storage/block-store.ts";
import type { SnapshotSection, Store } from "../storage/store.ts";

/** The blocks of a store with the token codes of its bot. */
export const TOKEN_CODE_BLOCKS = "signs";

const TOKEN_CODES_SECTION = "token-codes";
const GRAPH_SECTION = "graph";
const VERSION = 1;

/** JSON has at most six bytes for a byte of an id, and a number for each part. */
const ENTRY_BYTES_MAX = BLOCK_BYTES_MAX + 6 * BLOCK_ID_BYTES_MAX + 12 * BLOCK_PARTS_MAX + 1_024;

/** Derived data of a bot that its snapshots do not hold. */
export interface DerivedData {
  /** Undefined if no token codes are kept, or their embedder cannot be used. */
  readonly tokenCodes?: { readonly label: string; readonly blocks: AsyncIterable<KeptBlock> };
  /** Undefined if no graph is kept. */
  readonly graph?: Uint8Array;
}

/** The sections of a backup that hold derived data. */
export function derivedSections({ tokenCodes, graph }: DerivedData): SnapshotSection[] {
  const sections: SnapshotSection[] = [];
  if (tokenCodes !== undefined)
    sections.push({
      name: TOKEN_CODES_SECTION,
      version: VERSION,
      chunks: tokenCodeEntries(tokenCodes),
      isDerived: true,
    });
  if (graph !== undefined) sections.push({ name: GRAPH_SECTION, version: VERSION, chunks: [graph], isDerived: true });
  return sections;
}

/** Whether a section of a backup goes into the blocks or a cache of a store, and not into its snapshot. */
export function isBesideHistory({ name }: Pick<SnapshotSection, "name">): boolean {
  return name === TOKEN_CODES_SECTION || name === GRAPH_SECTION;
}

/**
 * Writes the derived data of a backup into a store that was created from its other sections. All sections are read to their ends, which verifies the backup.
 * Data that the store or this version cannot keep is left out, and rebuilt later.
 * @throws LoredexError `CORRUPT` if a section has a wrong form
 */
export async function keepDerived(store: Store, sections: readonly SnapshotSection[]): Promise<void> {
  for (const section of sections) {
    if (section.version !== VERSION) for await (const _ of section.chunks);
    else if (section.name === TOKEN_CODES_SECTION) await keepTokenCodes(store, section);
    else await keepGraph(store, section);
  }
}

async function* tokenCodeEntries({
  label,
  blocks,
}: NonNullable<DerivedData["tokenCodes"]>): AsyncGenerator<Uint8Array, void> {
  yield newEntry({ label }, 0).entry;
  for await (const { id, version, first, windows } of blocks) {
    const partBytes = windows.map(({ length }) => length);
    const { entry, at } = newEntry(
      { id, version, first, partBytes },
      partBytes.reduce((sum, bytes) => sum + bytes, 0),
    );
    let end = at;
    for (const window of windows) {
      entry.set(window, end);
      end += window.length;
    }
    yield entry;
  }
}

async function keepTokenCodes(store: Store, { name, chunks }: SnapshotSection): Promise<void> {
  const blocks = store.blocks?.(TOKEN_CODE_BLOCKS);
  let isOpen = false;
  let hasCapacity = blocks !== undefined;
  for await (const { meta, bytes } of entriesInStream(chunks, ENTRY_BYTES_MAX, () => notAsWritten(name))) {
    if (!isOpen) {
      const { label } = fieldsOf(meta);
      if (typeof label !== "string") throw notAsWritten(name);
      isOpen = true;
      if (hasCapacity) hasCapacity = await done(blocks?.open(label));
      continue;
    }
    const { windows, ...key } = tokenCodesOf(name, meta, bytes);
    if (hasCapacity) hasCapacity = await done(blocks?.append(key, windows));
  }
}

async function keepGraph(store: Store, { name, chunks }: SnapshotSection): Promise<void> {
  const fragments: Uint8Array[] = [];
  let bytes = 0;
  for await (const fragment of chunks) {
    bytes += fragment.length;
    if (bytes > SECTION_BYTES_MAX) throw notAsWritten(name);
    fragments.push(fragment);
  }
  await done(store.writeCache(GRAPH_CACHE, Buffer.concat(fragments)));
}

/** Whether a write succeeded. If the disk has no space for derived data, the bot is restored without it. */
async function done(written: Promise<unknown> | undefined): Promise<boolean> {
  try {
    await written;
    return true;
  } catch {
    return false;
  }
}

function tokenCodesOf(section: string, meta: unknown, bytes: Uint8Array): KeptBlock {
  const { id, version, first, partBytes } = fieldsOf(meta);
  const isKey = typeof id === "string" && id !== "" && Buffer.byteLength(id) <= BLOCK_ID_BYTES_MAX && isCount(version);
  if (!isKey || !isCount(first) || first > 0xffff_ffff || !Array.isArray(partBytes)) throw notAsWritten(section);
  if (partBytes.length < 1 || partBytes.length > BLOCK_PARTS_MAX) throw notAsWritten(section);
  let at = 0;
  const windows = partBytes.map((length: unknown) => {
    if (!isCount(length) || at + length > bytes.length) throw notAsWritten(section);
    at += length;
    return bytes.subarray(at - length, at);
  });
  if (at !== bytes.length || at > BLOCK_BYTES_MAX) throw notAsWritten(section);
  return { id, version, first, windows };
}

function fieldsOf(meta: unknown): Readonly<Record<string, unknown>> {
  return typeof meta === "object" && meta !== null ? { ...meta } : {};
}

function notAsWritten(section: string): LoredexError {
  return new LoredexError(
    "CORRUPT",
    `The backup is damaged: its section "${section}" does not hold what it should. Nothing was restored; use another backup.`,
  );
}
