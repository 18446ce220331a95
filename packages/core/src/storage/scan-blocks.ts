/** Verifies all blocks of a store. Changes nothing. */

import { type PlacedHead, scanHeads } from "./block-file.ts";
import { BLOCKS_HEADER_BYTES, bodyBytes, decodeBody, wrongBlocksHeader } from "./block-format.ts";
import { systemCodeOf } from "./disk-errors.ts";
import type { OpenFile } from "./file-system.ts";
import type { StorePlace } from "./recover.ts";
import type { StoreProblem } from "./store.ts";
import type { StoreListing } from "./store-files.ts";

/** The result of verifying blocks. */
export interface BlocksFound {
  readonly files: number;
  readonly bytes: number;
  /** All of them are problems of derived data. */
  readonly problems: readonly StoreProblem[];
}

/**
 * Verifies every part of every block.
 * @param written the number of blocks to verify in files that are being written; in other files all are verified
 */
export async function scanBlocks(
  { fileSystem, directory }: StorePlace,
  files: StoreListing["blocks"],
  storeId: Uint8Array | undefined,
  written: () => ReadonlyMap<string, number> | undefined,
): Promise<BlocksFound> {
  const problems: StoreProblem[] = [];
  let [filesRead, bytes] = [0, 0];
  for (const { name } of files) {
    const blocksMax = written()?.get(name);
    if (blocksMax === 0) continue;
    const path = `${directory}/${name}`;
    const found = (offset: number, sequence: number, reason: string) => {
      problems.push({ file: path, offset, sequence, reason, isDerived: true });
    };
    const file = await fileSystem.open(path, "read").catch((error: unknown) => {
      // A rewritten file is deleted, which is no loss.
      if (systemCodeOf(error) !== "ENOENT") found(0, 0, UNREADABLE);
      return undefined;
    });
    if (file === undefined) continue;
    filesRead += 1;
    try {
      bytes += await scanFile(file, storeId, blocksMax, found);
    } finally {
      await file.close();
    }
  }
  return { files: filesRead, bytes, problems };
}

const UNREADABLE = "the disk cannot read it";

/** Verifies one file. Resolves with the number of verified bytes. */
async function scanFile(
  file: OpenFile,
  storeId: Uint8Array | undefined,
  blocksMax: number | undefined,
  found: (offset: number, sequence: number, reason: string) => void,
): Promise<number> {
  const header = Buffer.alloc(BLOCKS_HEADER_BYTES);
  const isRead = await file.read(header, 0).then(
    () => true,
    () => false,
  );
  const wrong = isRead ? wrongBlocksHeader(header, storeId) : UNREADABLE;
  if (wrong !== undefined) {
    found(0, 0, wrong);
    return 0;
  }
  const limits = { bytes: await file.size(), ...(blocksMax === undefined ? {} : { blocksMax }) };
  let bytes = BLOCKS_HEADER_BYTES;
  let last = 0;
  const { isTorn, page, slot } = await scanHeads(file, header, limits, async (head) => {
    bytes += head.headBytes + bodyBytes(head.partBytes);
    last = head.version;
    const reason = await wrongBody(file, head);
    if (reason !== undefined) found(head.position, head.version, reason);
  });
  if (isTorn)
    found(
      page + slot,
      last,
      "the description of a block is damaged or tells of more than there is: none behind it is read",
    );
  return bytes;
}

async function wrongBody(file: OpenFile, head: PlacedHead): Promise<string | undefined> {
  const body = Buffer.allocUnsafe(bodyBytes(head.partBytes));
  const read = await file.read(body, head.position).catch(() => -1);
  if (read < body.length) return UNREADABLE;
  const parts = decodeBody(body, head, 0, head.partBytes.length);
  return parts === undefined ? "a checksum in a block is wrong" : undefined;
}
