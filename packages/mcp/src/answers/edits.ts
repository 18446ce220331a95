import { ToolProblem } from "./problem-text.ts";

/** Puts one text in the place of another. */
export interface Edit {
  readonly old_text: string;
  readonly new_text: string;
}

/**
 * A body with all edits made, one after the other.
 * @throws ToolProblem for a text that is not there, or stands in several places: then none is made
 */
export function edited(body: string, edits: readonly Edit[]): string {
  return edits.reduce((text, { old_text: old, new_text: replacement }, i) => {
    const at = text.indexOf(old);
    if (at < 0) throw new ToolProblem(`${nameOf(i)} is not in the article. ${ADVICE}`);
    if (text.indexOf(old, at + 1) >= 0) {
      throw new ToolProblem(
        `${nameOf(i)} stands in the article more than once: give more of what stands around it. ${ADVICE}`,
      );
    }
    return text.slice(0, at) + replacement + text.slice(at + old.length);
  }, body);
}

const ADVICE =
  'Nothing was changed. Copy old_text from get_article exactly, line breaks included and without the "| ".';

function nameOf(index: number): string {
  return `The old_text of edit ${index + 1}`;
}
