/** The lines of a markdown as the API counts them, written anew so that the tests do not trust the engine's own. */

import type { ContentBlock, SearchResult, TextPart } from "@loredex/core";
import { expect } from "vitest";

export const TEXT_CHARACTERS_MAX = 2_000;

export const characters = (text: string): number => [...text].length;

/** The markdown that lines count in: blocks joined by one newline. */
export const markdownOf = (content: readonly ContentBlock[]): string => content.map(({ md }) => md).join("\n");

/** How many lines there are; only `\n` ends one. */
export const lineCount = (markdown: string): number => markdown.split("\n").length;

/** The lines `start` to `stop` as they stand, without the last one's line break. */
export function sliceLines(markdown: string, start: number, stop: number): string {
  const lines = markdown.split("\n");
  const slice = lines.slice(start - 1, stop).join("\n");
  // Before a line break one `\r` belongs to it; at the end of the markdown it is text.
  return stop < lines.length && slice.endsWith("\r") ? slice.slice(0, -1) : slice;
}

/** The most characters of a context by default. */
const CONTEXT_CHARACTERS = 2_000;

/** The laws of the context of a text part, if it has one. */
function expectContext({ text: quoted, start, stop, context }: TextPart, markdown: string): void {
  if (context === undefined) return;
  expect(context.start).toBeLessThanOrEqual(start);
  expect(context.stop).toBeGreaterThanOrEqual(stop);
  expect(context.stop).toBeLessThanOrEqual(lineCount(markdown));
  if (characters(sliceLines(markdown, start, stop)) > CONTEXT_CHARACTERS) {
    expect(context).toMatchObject({ text: quoted, start, stop });
  } else {
    expect(context.text).toBe(sliceLines(markdown, context.start, context.stop));
    expect(characters(context.text)).toBeLessThanOrEqual(CONTEXT_CHARACTERS);
  }
}

/** The laws of one text part. */
export function expectPart(part: TextPart, markdown: string): void {
  expectContext(part, markdown);
  const { text, similarity, start, stop } = part;
  expect(Number.isInteger(start) && Number.isInteger(stop)).toBe(true);
  expect(start).toBeGreaterThanOrEqual(1);
  expect(stop).toBeGreaterThanOrEqual(start);
  expect(stop).toBeLessThanOrEqual(lineCount(markdown));
  expect(similarity).toBeGreaterThan(0);
  expect(similarity).toBeLessThanOrEqual(1);
  if (similarity < 1) expect(similarity).toBeLessThanOrEqual(0.999);
  const lines = sliceLines(markdown, start, stop);
  if (characters(lines) <= TEXT_CHARACTERS_MAX) {
    expect(text).toBe(lines);
    return;
  }
  expect(characters(text)).toBeLessThanOrEqual(TEXT_CHARACTERS_MAX);
  expect(text).toMatch(/\S/);
  // Sentences of these lines: whatever stands between two of them, every word is a word of the lines.
  const words = new Set(lines.split(/\s+/));
  const foreign = text.split(/\s+/).filter((word) => word !== "" && !words.has(word) && !lines.includes(word));
  expect(foreign).toEqual([]);
}

/** The laws of one result, given the markdown of its document. */
export function expectResult(result: SearchResult, markdown: string): void {
  const parts = result.similarTextParts;
  expect(parts.length).toBeGreaterThanOrEqual(1);
  expect(parts.length).toBeLessThanOrEqual(3);
  for (const part of parts) expectPart(part, markdown);
  const scores = parts.map(({ similarity }) => similarity);
  expect(scores).toEqual([...scores].sort((a, b) => b - a));
  expect(result.bestMatchScore).toBe(scores[0]);
  const byLine = [...parts].sort((a, b) => a.start - b.start);
  for (const [i, part] of byLine.entries()) expect(part.start).toBeGreaterThan(byLine[i - 1]?.stop ?? 0);
}

/** The laws of a list of results whose documents' content was asked for. */
export function expectResults(results: readonly SearchResult[]): void {
  for (const result of results) expectResult(result, markdownOf(result.content));
  for (const [i, result] of results.entries()) {
    const before = results[i - 1];
    if (before === undefined) continue;
    expect(before.bestMatchScore).toBeGreaterThanOrEqual(result.bestMatchScore);
    if (before.bestMatchScore === result.bestMatchScore) {
      expect(before.resourceDocId < result.resourceDocId).toBe(true);
    }
  }
}
