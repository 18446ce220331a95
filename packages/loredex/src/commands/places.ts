import { existsSync } from "node:fs";
import { isAbsolute, join, relative } from "node:path";
import type { SearchResult, SourceInfo } from "@loredex/core";
import { fileIdOf, placeInFile } from "@loredex/import/files";
import { linesText } from "./lines.ts";

/**
 * The place of each text part of a result, as its owner would search for it.
 * That is a file with a line, a page or row of a file, or lines of the text into which the file was converted.
 */
export function placesOf(
  { resourceDocId, metaData, similarTextParts }: Pick<SearchResult, "resourceDocId" | "metaData" | "similarTextParts">,
  sources: readonly SourceInfo[],
): string[] {
  const file = fileOf(fileIdOf(resourceDocId), sources);
  return similarTextParts.map(({ start, stop }) => {
    if (file === undefined) return placeless(metaData, start, stop);
    const place = placeInFile(metaData, start, stop);
    switch (place?.kind) {
      case "lines":
        return `${file}:${rangeText(place)}`;
      case "rows":
        return `${file}, sheet "${place.sheet}", ${place.first === place.last ? "row" : "rows"} ${rangeText(place)}`;
      case "page":
        return `${file}, page ${place.page}`;
      default:
        return `${file}, ${linesText(start, stop)} of its text`;
    }
  });
}

/** The place in a document without a file: a page or lines. */
function placeless(metaData: SearchResult["metaData"], start: number, stop: number): string {
  const place = placeInFile(metaData, start, stop);
  return place?.kind === "page" ? `page ${place.page}` : linesText(start, stop);
}

function rangeText({ first, last }: { readonly first: number; readonly last: number }): string {
  return first === last ? String(first) : `${first}-${last}`;
}

/** The file of a document id, relative to the working directory if it is inside; undefined if the id belongs to no file. */
function fileOf(id: string, sources: readonly SourceInfo[]): string | undefined {
  const candidates = sources
    .flatMap((source) => source.arguments)
    .flatMap(({ kind, ids, path }) => {
      if (kind === "file" && id === ids) return [path];
      return kind === "folder" && id.startsWith(ids) ? [join(path, id.slice(ids.length))] : [];
    });
  // Several folders of one source may have the same ids.
  const path = candidates.find((candidate) => existsSync(candidate)) ?? candidates[0];
  if (path === undefined) return undefined;
  const near = relative(process.cwd(), path);
  return near === "" || near.startsWith("..") || isAbsolute(near) ? path : near;
}
