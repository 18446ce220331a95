/** The printed line, pasted into a shell, and whether what comes is the right answer. */

import { strict as assert } from "node:assert";
import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** @typedef {import("../http-client/client.mjs").SearchResult} SearchResult */

/**
 * Pastes a line into a shell.
 * @param {string} line
 * @returns {SearchResult[]}
 */
export function paste(line) {
  const { status, stdout, stderr } = spawnSync("sh", ["-c", line], { encoding: "utf8" });
  assert.equal(status, 0, `the pasted line failed (it needs curl): ${stderr}`);
  return JSON.parse(stdout);
}

/**
 * The best lines must be those of the page, and stand in the section that explains `loredex key rotate`.
 * @param {SearchResult[]} answers
 * @param {string} root the project's directory, with the pages
 */
export async function requireRightLines(answers, root) {
  const [best] = answers;
  const part = best?.similarTextParts[0];
  assert.ok(best && part, "nothing was found");
  const page = (await readFile(join(root, best.resourceDocId.replace(/^file:/, "")), "utf8")).split("\n");
  assert.equal(part.text, page.slice(part.start - 1, part.stop).join("\n"), "the lines are not those of the page");
  const isHeading = (/** @type {string} */ line) => /^#+ /.test(line);
  const first = page.findLastIndex((line, index) => index < part.start && isHeading(line));
  const after = page.findIndex((line, index) => index >= part.stop && isHeading(line));
  const section = page.slice(Math.max(first, 0), after < 0 ? page.length : after).join("\n");
  const place = `${best.resourceDocId}, line ${part.start}`;
  assert.match(section, /loredex key rotate/, `the best answer (${place}) is not about giving a bot a new key`);
}
