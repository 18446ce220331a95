/** What a fake bot knows, and how it finds it: by equal words alone. */

export interface FakeArticle {
  readonly id: string;
  readonly status: string;
  readonly title: string;
  readonly body: string;
  readonly metadata: Readonly<Record<string, string | number | boolean>>;
  readonly source?: string;
  readonly activeOn: readonly unknown[];
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly characterCount: number;
}

export interface FakeDocument {
  readonly resourceDocId: string;
  readonly type: string;
  status: string;
  readonly metaData: Readonly<Record<string, unknown>>;
  readonly url?: string;
  readonly content: readonly { readonly md: string }[];
  readonly source: string;
}

export interface Part {
  readonly text: string;
  readonly similarity: number;
  readonly start: number;
  readonly stop: number;
}

export interface Found {
  readonly id: string;
  readonly type: string;
  readonly status: string;
  readonly metaData: Readonly<Record<string, unknown>>;
  readonly url?: string;
  readonly score: number;
  readonly parts: readonly Part[];
}

const COMMON = new Set(
  "a an and are can do does for how i in is it long my of on the to what when which you".split(" "),
);

export function wordsOf(text: string): string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !COMMON.has(word)).map(stem);
}

function stem(word: string): string {
  return word.length > 4 ? word.replace(/(?:ing|ed|s)$/, "") : word;
}

/** Paragraphs with their lines: the fake's passages. */
export function passagesOf(text: string): { readonly text: string; readonly start: number; readonly stop: number }[] {
  const passages: { text: string; start: number; stop: number }[] = [];
  for (const [i, line] of text.split("\n").entries()) {
    const last = passages.at(-1);
    if (line.trim() === "") continue;
    if (last !== undefined && last.stop === i && !line.startsWith("#") && !last.text.startsWith("#")) {
      passages[passages.length - 1] = { ...last, text: `${last.text}\n${line}`, stop: i + 1 };
    } else passages.push({ text: line, start: i + 1, stop: i + 1 });
  }
  return passages;
}

/** The share of the question's words that a text has. */
export function shareOf(question: readonly string[], text: string): number {
  if (question.length === 0) return 0;
  const held = new Set(wordsOf(text));
  return question.filter((word) => held.has(word)).length / question.length;
}

export function partsOf(question: readonly string[], text: string): Part[] {
  return passagesOf(text)
    .filter(({ text }) => !text.startsWith("#"))
    .map((passage) => ({ ...passage, similarity: Math.min(0.94, shareOf(question, passage.text)) }))
    .filter(({ similarity }) => similarity > 0.2)
    .sort((a, b) => b.similarity - a.similarity)
    .slice(0, 3);
}
