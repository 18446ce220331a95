import { createHash } from "node:crypto";
import { readJsonLines } from "../../files/json-lines.ts";
import { LINE_BYTES_MAX } from "../../limits.ts";
import { digestOfFile } from "./likeness.ts";
import { isGone, isJsonLines } from "./target.ts";

/** Digests of the documents in files, by id. A file is read once, and only if two arguments bring the same id. */
export class FileContents {
  readonly #digests = new Map<string, Promise<string | ReadonlyMap<string, string>>>();

  /** Returns the digest of a file's document with this id; undefined if the file or the id is gone. */
  async of(path: string, id: string): Promise<string | undefined> {
    if (await isGone(path)) return undefined;
    const known = this.#digests.get(path) ?? (isJsonLines(path) ? digestsOfLines(path) : digestOfFile(path));
    this.#digests.set(path, known);
    try {
      const digests = await known;
      return typeof digests === "string" ? digests : digests.get(id);
    } catch {
      // The file exists. That it is unreadable now does not make it another file.
      return "unreadable";
    }
  }
}

async function digestsOfLines(path: string): Promise<ReadonlyMap<string, string>> {
  const digests = new Map<string, string>();
  for await (const line of readJsonLines(path, LINE_BYTES_MAX)) {
    const id = "problem" in line ? undefined : idOf(line.value);
    if ("problem" in line || id === undefined) continue;
    const digest = digestOfValue(line.value);
    if (digest !== undefined) digests.set(id, digest);
  }
  return digests;
}

/** Undefined for values nested too deeply to be written: they are no documents of any bot. */
function digestOfValue(value: unknown): string | undefined {
  try {
    return createHash("sha256").update(JSON.stringify(value)).digest("base64");
  } catch {
    return undefined;
  }
}

/** Returns the id of a document, if it has one. */
export function idOf(document: unknown): string | undefined {
  if (typeof document !== "object" || document === null || !("resourceDocId" in document)) return undefined;
  return typeof document.resourceDocId === "string" ? document.resourceDocId : undefined;
}
