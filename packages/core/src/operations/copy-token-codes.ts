import type { Embedder, EmbedderOffer } from "../embedding/embedder.ts";
import { tokenCodesLabel } from "../embedding/token-codes.ts";
import { EMBEDDED_TEXTS_VERSION } from "../index/embedded-texts.ts";
import type { BlockKey, BlockStore, StoredBlock } from "../storage/block-store.ts";
import type { Store } from "../storage/store.ts";
import { TOKEN_CODE_BLOCKS } from "./backup-derived.ts";

/** Blocks, and about the bytes of them, that are copied at once. */
const BLOCKS_AT_ONCE = 64;
const BYTES_AT_ONCE = 4_194_304;

/**
 * Copies token codes from one store to another. They are found by a label that only their embedder knows, so it is opened, once for all bots. The source
 * may have those of another version of the embedder: they are not copied, and stay in the source. Token codes can be made again: whatever fails, the
 * copy is without them.
 */
export class TokenCodesCopier {
  readonly #offers: Readonly<Record<string, EmbedderOffer>>;
  readonly #signal: AbortSignal | undefined;
  readonly #opened = new Map<string, Promise<Embedder | undefined>>();

  constructor(offers: Readonly<Record<string, EmbedderOffer>>, signal: AbortSignal | undefined) {
    this.#offers = offers;
    this.#signal = signal;
  }

  /** Copies those that the target lacks. Rejects only if the copy is aborted. */
  async copy(embedder: string, from: Store, to: Store): Promise<void> {
    const opened = await this.#open(embedder);
    const label = opened && tokenCodesLabel(opened, EMBEDDED_TEXTS_VERSION);
    const [source, target] =
      label === undefined ? [] : [from.blocks?.(TOKEN_CODE_BLOCKS), to.blocks?.(TOKEN_CODE_BLOCKS)];
    if (label !== undefined && source !== undefined && target !== undefined) {
      await this.#copyBlocks(label, source, target).catch(() => undefined);
    }
    this.#signal?.throwIfAborted();
  }

  async close(): Promise<void> {
    for (const opened of this.#opened.values()) await (await opened)?.close().catch(() => undefined);
  }

  #open(name: string): Promise<Embedder | undefined> {
    const known = this.#opened.get(name);
    if (known !== undefined) return known;
    const open = Object.hasOwn(this.#offers, name) ? this.#offers[name]?.open : undefined;
    const opening = Promise.resolve(open?.(this.#signal)).catch(() => undefined);
    this.#opened.set(name, opening);
    return opening;
  }

  async #copyBlocks(label: string, source: BlockStore, target: BlockStore): Promise<void> {
    const blocks = (await source.openToRead?.(label)) ?? [];
    if (blocks.length === 0) return;
    const there = new Set((await target.open(label)).blocks.map(nameOf));
    const lacking = blocks.filter((block) => !there.has(nameOf(block)));
    for (let from = 0; from < lacking.length; ) {
      this.#signal?.throwIfAborted();
      const some = batchAt(lacking, from);
      from += some.length;
      const read = await Promise.all(some.map((block) => source.read(block, 0, block.partBytes.length)));
      // The appends begin in the order of the source: of two blocks with the same windows the later one counts.
      await Promise.all(some.map((block, i) => appended(target, block, read[i])));
    }
  }
}

function nameOf({ id, version, first, partBytes }: StoredBlock): string {
  return JSON.stringify([id, version, first, partBytes]);
}

function batchAt(blocks: readonly StoredBlock[], from: number): StoredBlock[] {
  const batch: StoredBlock[] = [];
  let bytes = 0;
  for (const block of blocks.slice(from, from + BLOCKS_AT_ONCE)) {
    bytes += block.partBytes.reduce((sum, length) => sum + length, 0);
    if (batch.length > 0 && bytes > BYTES_AT_ONCE) break;
    batch.push(block);
  }
  return batch;
}

/** A damaged block is left out: its token codes are made again. */
async function appended(
  target: BlockStore,
  { id, version, first }: BlockKey,
  parts: readonly Uint8Array[] | undefined,
): Promise<void> {
  if (parts !== undefined) await target.append({ id, version, first }, parts);
}
