import { createHash } from "node:crypto";
import { readJsonLines } from "../../files/json-lines.ts";
import { LINE_BYTES_MAX } from "../../limits.ts";
import { digestOfFile } from "./likeness.ts";
import { isGone, isJsonLines } from "./target.ts";

/** What files hold under which ids, by digests. A file is read once, and only where two arguments bring the same id. */
export class FileContents {
  readonly #digests = new Map<string, Promise<string | ReadonlyMap<string, string>>>();

  /** The digest of what a file says under this id; undefined if it is gone, or does not hold the id any more. */
  async of(path: string, id: string): Promise<string | undefined> {
    if (await isGone(path)) return undefined;
    const known = this.#digests.get(path) ?? (isJsonLines(path) ? digestsOfLines(path) : digestOfFile(path));
    this.#digests.set(path, known);
    try {
      const digests = await known;
      return typeof digests === "string" ? digests : digests.get(id);
    } catch {
      // It is there: that nobody can read it now does not make it another's.
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

/** Undefined for what is nested so deeply that it cannot be written: it is no document of any bot. */
function digestOfValue(value: unknown): string | undefined {
  try {
    return createHash("sha256").update(JSON.stringify(value)).digest("base64");
  } catch {
    return undefined;
  }
}

/** The id that a document says, if it says one. */
export function idOf(document: unknown): string | undefined {
  if (typeof document !== "object" || document === null || !("resourceDocId" in document)) return undefined;
  return typeof document.resourceDocId === "string" ? document.resourceDocId : undefined;
}
