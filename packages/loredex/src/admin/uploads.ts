import { mkdtemp, open, readdir, realpath, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join, sep } from "node:path";
import { ADMIN_FILE_NAME_CHARACTERS_MAX, ADMIN_UPLOAD_BYTES_MAX, ValidationError } from "@loredex/core";

/** What file systems take. */
const NAME_BYTES_MAX = 255;

const FOLDER_PREFIX = "loredex-upload-";
/** A folder of this age was left by a process that ended without cleaning up, in milliseconds. */
const LEFT_MS = 86_400_000;

/** An uploaded file on the disk. */
export interface UploadedFile {
  /** Its real path: its own name, in a folder of its own. */
  readonly path: string;
  /** Deletes it. */
  readonly remove: () => Promise<void>;
}

/**
 * Checks the name of an uploaded file. A name from outside must not lead anywhere: it is no path, has no control characters, and is no hidden file.
 * @throws ValidationError for the field `name`
 */
export function checkFileName(name: string): void {
  const isPlain = name !== "" && !/[/\\\p{Cc}\p{Cf}]/u.test(name) && !name.startsWith(".") && name.trim() === name;
  const isShort = [...name].length <= ADMIN_FILE_NAME_CHARACTERS_MAX && Buffer.byteLength(name) <= NAME_BYTES_MAX;
  if (isPlain && isShort && name.isWellFormed()) return;
  const message = `name must be the name of a file, of 1 to ${ADMIN_FILE_NAME_CHARACTERS_MAX} characters: without folders or control characters, and not beginning with a dot`;
  throw new ValidationError([{ field: "name", type: "fileName", message }]);
}

/** Writes an upload to a folder of its own, which only this user may read. Nothing stays if that fails. @throws the error of `bytes`, ValidationError */
export async function receive(name: string, bytes: AsyncIterable<Uint8Array>): Promise<UploadedFile> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), FOLDER_PREFIX)));
  const remove = async (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    const path = join(folder, basename(name));
    const file = await open(path, "wx", 0o600);
    try {
      let length = 0;
      for await (const piece of bytes) {
        length += piece.length;
        if (length > ADMIN_UPLOAD_BYTES_MAX) throw tooLarge();
        await file.writeFile(piece);
      }
    } finally {
      await file.close();
    }
    return { path, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

function tooLarge(): ValidationError {
  const message = `the file has more than ${ADMIN_UPLOAD_BYTES_MAX / 1_048_576} MiB: import it with "loredex import"`;
  return new ValidationError([{ field: "body", type: "maxLength", message }]);
}

/** A text without the folders of uploads: their paths are of this machine, and the names of the files are known. */
export function withoutUploadFolder(text: string): string {
  return text.replace(/\S+/gu, (word) => {
    const prefix = word.indexOf(FOLDER_PREFIX);
    const start = word.indexOf(sep);
    const end = word.indexOf(sep, prefix);
    return prefix < 0 || start < 0 || start > prefix || end < 0 ? word : word.slice(0, start) + word.slice(end + 1);
  });
}

/** Deletes what uploads of earlier processes left: those that ended without cleaning up. Other users' folders stay. Never rejects. */
export async function sweepUploads(nowMs: number): Promise<void> {
  const names = await readdir(tmpdir()).catch(() => []);
  for (const name of names) {
    if (!name.startsWith(FOLDER_PREFIX)) continue;
    const folder = join(tmpdir(), name);
    const changedMs = await stat(folder)
      .then(({ mtimeMs }) => mtimeMs)
      .catch(() => nowMs);
    if (nowMs - changedMs > LEFT_MS) await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}
