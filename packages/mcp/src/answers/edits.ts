import { ToolProblem } from "./problem-text.ts";
import { placeIn, visible } from "./visible.ts";

/** Replaces one text by another. */
export interface Edit {
  readonly old_text: string;
  readonly new_text: string;
}

/**
 * Applies all edits to a body, one after the other. A text that is not found is searched in the body as get_article shows it, with U+FFFD for invisible
 * characters.
 * @throws ToolProblem for a text that is not found, or occurs several times: then no edit is applied
 */
export function edited(body: string, edits: readonly Edit[]): string {
  return edits.reduce((text, { old_text: old, new_text: replacement }, i) => {
    const searched = text.includes(old) ? text : visible(text);
    const at = searched.indexOf(old);
    if (at < 0) throw new ToolProblem(`${nameOf(i)} is not in the article. ${ADVICE}`);
    if (searched.indexOf(old, at + 1) >= 0) {
      throw new ToolProblem(
        `${nameOf(i)} stands in the article more than once: give more of what stands around it. ${ADVICE}`,
      );
    }
    const placeOf = (place: number): number => (searched === text ? place : placeIn(text, place));
    return text.slice(0, placeOf(at)) + replacement + text.slice(placeOf(at + old.length));
  }, body);
}

const ADVICE =
  'Nothing was changed. Copy old_text from get_article exactly, line breaks included and without the "| ".';

function nameOf(index: number): string {
  return `The old_text of edit ${index + 1}`;
}
