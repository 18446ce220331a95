import { existsSync } from "node:fs";
import { isAbsolute, join, relative } from "node:path";
import type { SearchResult, SourceInfo } from "@loredex/core";
import { fileIdOf } from "@loredex/import/files";
import { linesText } from "./lines.ts";

/** Where each part of a result stands, as its owner would look for it: file and line, page of a file, or lines of the document. */
export function placesOf(
  { resourceDocId, metaData, similarTextParts }: Pick<SearchResult, "resourceDocId" | "metaData" | "similarTextParts">,
  sources: readonly SourceInfo[],
): string[] {
  const file = fileOf(fileIdOf(resourceDocId), sources);
  return similarTextParts.map(({ start, stop }) => {
    const { sourceLine, pages } = metaData;
    if (Array.isArray(pages)) return inFile(file, pageOf(pages, start));
    if (file === undefined || typeof sourceLine !== "number") return inFile(file, linesText(start, stop));
    const [first, last] = [sourceLine + start - 1, sourceLine + stop - 1];
    return `${file}:${first === last ? first : `${first}-${last}`}`;
  });
}

function inFile(file: string | undefined, place: string): string {
  return file === undefined ? place : `${file}, ${place}`;
}

/** @param pages the first line of each */
function pageOf(pages: readonly unknown[], line: number): string {
  const after = pages.findIndex((first) => typeof first === "number" && first > line);
  return `page ${after < 0 ? pages.length : Math.max(after, 1)}`;
}

/** The file that an id is of, from the working directory where it lies in there; undefined where it is of none. */
function fileOf(id: string, sources: readonly SourceInfo[]): string | undefined {
  const candidates = sources
    .flatMap((source) => source.arguments)
    .flatMap(({ kind, ids, path }) => {
      if (kind === "file" && id === ids) return [path];
      return kind === "folder" && id.startsWith(ids) ? [join(path, id.slice(ids.length))] : [];
    });
  // Several folders of one source have ids alike.
  const path = candidates.find((candidate) => existsSync(candidate)) ?? candidates[0];
  if (path === undefined) return undefined;
  const near = relative(process.cwd(), path);
  return near === "" || near.startsWith("..") || isAbsolute(near) ? path : near;
}
