import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { DocumentInput } from "@loredex/core";
import type { Competitor } from "../peers/competitors.ts";
import { CORPUS_FILES, type PassageText } from "./corpus-shape.ts";

/** A corpus's files, read by the processes that measure: nothing of it stays but what an engine holds. */

async function* linesOf<Item>(path: string): AsyncGenerator<Item> {
  for await (const line of createInterface({ input: createReadStream(path) })) yield JSON.parse(line) as Item;
}

export function documentsIn(directory: string): AsyncGenerator<DocumentInput> {
  return linesOf(join(directory, CORPUS_FILES.documents));
}

export function passagesIn(directory: string): AsyncGenerator<PassageText> {
  return linesOf(join(directory, CORPUS_FILES.passages));
}

export async function questionsIn(directory: string): Promise<string[]> {
  return JSON.parse(await readFile(join(directory, CORPUS_FILES.questions), "utf8")) as string[];
}

/** Adds all of it as it is read. */
export async function fill(engine: Competitor, directory: string): Promise<void> {
  if (engine.takes === "documents") {
    for await (const document of documentsIn(directory)) await engine.add(document);
  } else {
    for await (const passage of passagesIn(directory)) await engine.add(passage);
  }
  await engine.ready();
}

/** Seconds of a filling. */
export interface Filling {
  /** Until everything is found. */
  readonly foundSeconds: number;
  /** Until everything is searched as fast as it ever will be. */
  readonly seconds: number;
}

/** How long a filling takes for which everything was read before. */
export async function secondsToFill(engine: Competitor, directory: string): Promise<Filling> {
  if (engine.takes === "documents") {
    return await secondsOf(await allOf(documentsIn(directory)), (document) => engine.add(document), engine);
  }
  return await secondsOf(await allOf(passagesIn(directory)), (passage) => engine.add(passage), engine);
}

async function allOf<Item>(read: AsyncGenerator<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of read) items.push(item);
  return items;
}

async function secondsOf<Item>(
  items: readonly Item[],
  add: (item: Item) => Promise<void> | void,
  engine: Competitor,
): Promise<Filling> {
  globalThis.gc?.();
  const start = performance.now();
  for (const item of items) {
    const added = add(item);
    // Waiting costs something even where there is nothing to wait for.
    if (added !== undefined) await added;
  }
  await engine.found?.();
  const foundSeconds = (performance.now() - start) / 1_000;
  await engine.ready();
  const seconds = (performance.now() - start) / 1_000;
  return { foundSeconds: engine.found === undefined ? seconds : foundSeconds, seconds };
}
