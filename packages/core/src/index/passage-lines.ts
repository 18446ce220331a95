import { passagesInSlices } from "../markdown/passages.ts";
import type { PassageLines, SearchableDocument } from "../model/types.ts";
import type { Sliced } from "../scheduling/time-slices.ts";

/** The passages of a document, as it is cut for the index, with their lines. */
export function* passageLinesInSlices({ content }: SearchableDocument): Sliced<PassageLines[]> {
  const { markdown, passages } = yield* passagesInSlices(content);
  const lines: PassageLines[] = [];
  for (const { fragments } of passages) {
    const [first, last] = [fragments[0], fragments.at(-1)];
    if (first === undefined || last === undefined) continue;
    const text = markdown.slice(first.startOffset, last.endOffset);
    lines.push({ start: first.startLine, stop: last.stopLine, text });
    yield;
  }
  return lines;
}
