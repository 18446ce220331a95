import { type DefaultTreeAdapterMap, defaultTreeAdapter, html as names, Parser, type Token } from "parse5";
import type { HtmlParent } from "./tree.ts";

/** Maximum nesting of elements, about as in browsers. Deeper content keeps its text and loses its tags. */
const DEPTH_MAX = 400;
/** Maximum formatting elements (bold, fonts) left open: each later paragraph would open all of them again. */
const OPEN_FORMATS_MAX = 60;

/** Parses a page as browsers do, even if it is malformed, in linear time. */
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

/** These hold no elements, and their text is no part of the page. */
const ALWAYS: ReadonlySet<number> = new Set([
  names.TAG_ID.SCRIPT,
  names.TAG_ID.STYLE,
  names.TAG_ID.TITLE,
  names.TAG_ID.TEXTAREA,
  names.TAG_ID.BR,
  names.TAG_ID.IMG,
]);
