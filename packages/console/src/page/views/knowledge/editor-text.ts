import type { Article, Draft, Metadata } from "../../api/types.ts";

export const EMPTY: Draft = { title: "", body: "", address: "", metadata: "" };

export function draftOfArticle({ title, body, source = "", metadata }: Article): Draft {
  return { title, body, address: source, metadata: metadataText(metadata) };
}

export function isSame(a: Draft, b: Draft): boolean {
  return a.title === b.title && a.body === b.body && a.address === b.address && a.metadata === b.metadata;
}

/** The line that is no `key: value`; undefined if there is none. */
export function wrongMetadata(text: string): string | undefined {
  return linesOf(text).find((line) => !/^[^:]+:/.test(line));
}

/** The body of a create or an update: what differs from `before`, and all of a new article. */
export function bodyOf(draft: Draft, before: Draft | undefined): Readonly<Record<string, unknown>> {
  const { title, body, address, metadata } = draft;
  return {
    ...(title !== before?.title && { title }),
    ...(body !== before?.body && { body }),
    ...(address !== (before?.address ?? "") && { source: address.trim() === "" ? null : address.trim() }),
    ...(metadata !== (before?.metadata ?? "") && { metadata: metadataOf(metadata) }),
  };
}

/** Lines of `theirs` that `mine` lacks, for marking them. */
export function newLines(mine: string, theirs: string): ReadonlySet<number> {
  const known = new Set(mine.split("\n"));
  return new Set(theirs.split("\n").flatMap((line, i) => (known.has(line) ? [] : [i])));
}

function metadataText(metadata: Metadata): string {
  return Object.entries(metadata)
    .map(([key, value]) => `${key}: ${isPlainText(value) ? value : JSON.stringify(value)}`)
    .join("\n");
}

/** Whether a text reads back as itself, and not as a number or a boolean. */
function isPlainText(value: string | number | boolean): boolean {
  return typeof value === "string" && plainValue(value) === value && !value.includes("\n");
}

function metadataOf(text: string): Metadata {
  return Object.fromEntries(
    linesOf(text).map((line) => {
      const at = line.indexOf(":");
      return [line.slice(0, at).trim(), plainValue(line.slice(at + 1).trim())];
    }),
  );
}

function plainValue(text: string): string | number | boolean {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  } catch {
    // Any other text stands for itself.
  }
  return text;
}

function linesOf(text: string): string[] {
  return text.split("\n").filter((line) => line.trim() !== "");
}
