/** Questions of which it is known which article answers them. */

import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** @typedef {{ question: string, expectedId: string }} KnownQuestion */

/**
 * Reads a set of questions and takes some of them, evenly spread, always the same ones.
 * @param {string} directory with `queries.jsonl` and `qrels.tsv`
 * @param {number} count
 * @param {(path: string) => string} idOf the id under which the document of this path was imported
 * @returns {Promise<KnownQuestion[]>}
 */
export async function knownQuestions(directory, count, idOf) {
  const judged = new Map(
    lines(await readFile(join(directory, "qrels.tsv"), "utf8")).map((line) => {
      const [question = "", path = ""] = line.split("\t");
      return [question, path];
    }),
  );
  const known = lines(await readFile(join(directory, "queries.jsonl"), "utf8")).flatMap((line) => {
    /** @type {{ _id: string, text: string }} */
    const { _id, text } = JSON.parse(line);
    const path = judged.get(_id);
    return path === undefined ? [] : [{ question: text, expectedId: idOf(path) }];
  });
  return evenly(known, count);
}

/**
 * @template T
 * @param {readonly T[]} all
 * @param {number} count
 */
export function evenly(all, count) {
  return all.filter(
    (_, index) => Math.floor((index * count) / all.length) !== Math.floor(((index - 1) * count) / all.length),
  );
}

/** @param {string} text */
function lines(text) {
  return text.split("\n").filter((line) => line !== "");
}
