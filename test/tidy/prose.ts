/** Phrases that the glossary retired, in pages and in the code alike, and the words for them. */
export const RETIRED_PHRASES: Readonly<Record<string, RegExp>> = {
  again: /\banew\b/i,
  "the number": /\bso many\b/i,
  "the caller, the client": /\bwhoever\b/i,
  continues: /\bgo(es)? on\b/i,
  says: /\bha(s|ve) it that\b/i,
};

/** A sentence or a cell of a table, as a reader sees it, and the line on which its paragraph begins. */
export interface Prose {
  readonly line: number;
  readonly text: string;
}

const FENCE = /^\s*(`{3,})/;
const TABLE_ROW = /^\s*\|.*\|\s*$/;
const TABLE_RULE = /^\s*\|[\s:|-]+\|\s*$/;
/** What begins a block of its own: a heading, a list item, a quotation. */
const BLOCK_START = /^\s*(?:#{1,6}\s|[-*+]\s|\d+\.\s|>)/;
const HEADING = /^\s*#{1,6}\s/;
/** Where one sentence ends and the next begins. */
const SENTENCE_END = /(?<=[.!?][)"'*_]*)\s+(?=["'(*_[]*[\p{Lu}\p{N}\uE000])/u;

/** Where inline code stood: one word, however long the code is. */
const CODE = "\uE000";

/**
 * The sentences and the table cells of a page in Markdown. Code blocks, comments and addresses are left out;
 * inline code is one word of a sentence, and counts with all its characters in a cell.
 */
export function proseOf(markdown: string): { sentences: Prose[]; cells: Prose[] } {
  const sentences: Prose[] = [];
  const cells: Prose[] = [];
  let paragraph: { line: number; lines: string[] } | undefined;
  let fence: string | undefined;
  const end = (): void => {
    if (paragraph !== undefined) sentences.push(...sentencesOf(paragraph.lines.join(" "), paragraph.line));
    paragraph = undefined;
  };
  for (const [at, text] of withoutComments(markdown).split("\n").entries()) {
    const line = at + 1;
    const mark = FENCE.exec(text)?.[1];
    if (fence !== undefined) {
      if (mark !== undefined && mark.length >= fence.length) fence = undefined;
    } else if (mark !== undefined) {
      end();
      fence = mark;
    } else if (TABLE_ROW.test(text)) {
      end();
      if (TABLE_RULE.test(text)) continue;
      for (const cell of cellsOf(text)) {
        cells.push({ line, text: withoutAddresses(cell) });
        sentences.push(...sentencesOf(cell, line));
      }
    } else if (text.trim() === "") {
      end();
    } else {
      if (BLOCK_START.test(text)) end();
      paragraph ??= { line, lines: [] };
      paragraph.lines.push(text.replace(BLOCK_START, "").trim());
      if (HEADING.test(text)) end();
    }
  }
  end();
  return { sentences, cells };
}

/** Words of a sentence. Marks that stand alone, as in `a · b`, are none. */
export function wordsIn(sentence: string): number {
  return sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

function sentencesOf(text: string, line: number): Prose[] {
  const codes: string[] = [];
  const bare = withoutAddresses(text).replace(/(`+)(?!`)(.+?)\1(?!`)/g, (code) => {
    codes.push(code);
    return CODE;
  });
  let next = 0;
  return bare
    .split(SENTENCE_END)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== "")
    .map((sentence) => ({ line, text: sentence.replaceAll(CODE, () => oneWord(codes[next++] ?? "")) }));
}

/** Code without the spaces in it, so that it counts as one word. */
function oneWord(code: string): string {
  return code.replace(/\s+/g, "_");
}

function cellsOf(row: string): string[] {
  return row
    .trim()
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());
}

function withoutAddresses(text: string): string {
  return text.replace(/!?\[((?:[^\][]|\[[^\]]*\])*)\]\([^)\s]*\)/g, "$1").replace(/<?https?:\/\/[^\s)>`]+>?/g, "URL");
}

/** Keeps line numbers. */
function withoutComments(markdown: string): string {
  return markdown.replace(/<!--[\s\S]*?-->/g, (comment) => comment.replace(/[^\n]/g, ""));
}
