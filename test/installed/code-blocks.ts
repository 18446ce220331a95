/** A piece of code that a page shows. */
export interface CodeBlock {
  readonly page: string;
  /** The line of its fence, from 1. */
  readonly line: number;
  /** What its fence says that it is: `sh`, `js`, `text`. */
  readonly language: string;
  readonly text: string;
  /** The file that it is, where the paragraph before it ends with a file's name and a colon: "Put this into `ask.mjs`:". */
  readonly file?: string;
  /** What a comment of HTML right before it tells whoever runs it: `<!-- code: ends with 1 -->`. */
  readonly hint?: string;
}

const FENCE = /^ {0,3}(`{3,})\s*(\S*)\s*$/;
const HINT = /^<!-- code: (.+?) -->$/;
const NAMED_FILE = /`([\w./-]+\.\w+)`[^`]*:$/;

/** The blocks of a page in their order. Throws where a fence has no language, or no end. */
export function codeBlocks(page: string, markdown: string): CodeBlock[] {
  const lines = markdown.split("\n");
  const blocks: CodeBlock[] = [];
  let start: { at: number; fence: string; language: string } | undefined;
  lines.forEach((line, at) => {
    const [, fence, language] = FENCE.exec(line) ?? [];
    if (start === undefined) {
      if (fence === undefined) return;
      if (!language) throw new Error(`${page}:${at + 1}: the block says no language; what nobody runs is \`text\``);
      start = { at, fence, language };
    } else if (fence !== undefined && fence.length >= start.fence.length && !language) {
      const text = `${lines.slice(start.at + 1, at).join("\n")}\n`;
      blocks.push({ page, line: start.at + 1, language: start.language, text, ...before(lines.slice(0, start.at)) });
      start = undefined;
    }
  });
  if (start !== undefined) throw new Error(`${page}:${start.at + 1}: the block has no end`);
  return blocks;
}

/** What the lines before a block say of it. */
function before(lines: readonly string[]): { file?: string; hint?: string } {
  let at = lines.length - 1;
  const hint = HINT.exec(lines[at] ?? "")?.[1];
  if (hint !== undefined) at -= 1;
  while (at >= 0 && lines[at]?.trim() === "") at -= 1;
  const file = NAMED_FILE.exec(lines[at]?.trim() ?? "")?.[1];
  return { ...(file === undefined ? {} : { file }), ...(hint === undefined ? {} : { hint }) };
}
