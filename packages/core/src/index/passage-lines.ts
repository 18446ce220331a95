import { passagesInSteps } from "../markdown/passages.ts";
import type { PassageLines, SearchableDocument } from "../model/types.ts";
import type { Steps } from "../scheduling/steps.ts";

/** The passages of a document, as it is cut for the index, with their lines. */
export function* passageLinesInSteps({ content }: SearchableDocument): Steps<PassageLines[]> {
  const { markdown, passages } = yield* passagesInSteps(content);
  const lines: PassageLines[] = [];
  for (const { pieces } of passages) {
    const [first, last] = [pieces[0], pieces.at(-1)];
    if (first === undefined || last === undefined) continue;
    const text = markdown.slice(first.startOffset, last.endOffset);
    lines.push({ start: first.startLine, stop: last.stopLine, text });
    yield;
  }
  return lines;
}
