import { type DefaultTreeAdapterMap, defaultTreeAdapter, html as names, Parser, type Token } from "parse5";
import type { HtmlParent } from "./tree.ts";

/** Elements within elements: browsers stop at about as many. What is deeper keeps its text and loses its tags. */
const DEPTH_MAX = 400;
/** Bold, fonts and the like that were opened and never closed: each paragraph that follows would open all of them again. */
const OPEN_FORMATS_MAX = 60;

/** The page as a browser reads it, whatever is wrong with it, in time linear in its length. */
export function parseHtml(text: string): HtmlParent {
  return BoundedParser.parse<DefaultTreeAdapterMap>(text, { treeAdapter: defaultTreeAdapter, scriptingEnabled: true });
}

class BoundedParser extends Parser<DefaultTreeAdapterMap> {
  override onStartTag(token: Token.TagToken): void {
    const isTooMuch = this.openElements.depth > DEPTH_MAX || this.#hasTooManyFormats();
    if (isTooMuch && !ALWAYS.has(token.tagID)) return;
    super.onStartTag(token);
  }

  #hasTooManyFormats(): boolean {
    let count = 0;
    for (let entry = this.activeFormattingElements.newest; entry !== null; entry = entry.older) {
      if (++count > OPEN_FORMATS_MAX) return true;
    }
    return false;
  }
}

/** These hold no elements, and their text is none of the page. */
const ALWAYS: ReadonlySet<number> = new Set([
  names.TAG_ID.SCRIPT,
  names.TAG_ID.STYLE,
  names.TAG_ID.TITLE,
  names.TAG_ID.TEXTAREA,
  names.TAG_ID.BR,
  names.TAG_ID.IMG,
]);
