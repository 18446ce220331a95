/**
 * A program that writes articles as fast as it can, with snapshots and purges in between, and says on standard output what it is about to do and what was
 * acknowledged, so that whoever kills it knows what must still be there. Run as `writer.ts DIRECTORY LANES SEED [lie]`;
 * with `lie` it syncs nothing, as the control of the proof.
 */

import { writeSync } from "node:fs";
import { Engine } from "@loredex/core";
import { lyingStorage } from "./lying-storage.ts";

const [, , directory, lanes, seed, lie] = process.argv;
if (directory === undefined || lanes === undefined || seed === undefined) throw new Error("three arguments are needed");

/** Small and repeatable; the quality of its numbers does not matter. */
let state = Number(seed) >>> 0;
function random(below: number): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
}

const PAUSE = new Int32Array(new SharedArrayBuffer(4));

/** One line, written before anything else happens: what was said survives the one who said it. */
function say(event: object): void {
  let bytes = Buffer.from(`${JSON.stringify({ ...event, at: Date.now() })}\n`);
  while (bytes.length > 0) {
    try {
      bytes = bytes.subarray(writeSync(1, bytes));
    } catch (error) {
      // The pipe is full: whoever reads it is busy.
      if (!(error instanceof Error && "code" in error && error.code === "EAGAIN")) throw error;
      Atomics.wait(PAUSE, 0, 0, 1);
    }
  }
}

const engine = await Engine.open({
  embedders: {},
  ...(lie === undefined ? { directory } : { storage: await lyingStorage(directory) }),
});
const bot = await engine.bot("killed");

async function lane(number: number): Promise<never> {
  const own = (await bot.listArticles({ title: `Lane ${number}` })).map(({ id }) => id);
  for (let step = 0; ; step += 1) {
    const body = `Step ${seed}.${step} of lane ${number}. ${"😀 text ".repeat(random(200))}`;
    const id = own[random(own.length)];
    const kind = id === undefined || own.length < 5 ? 0 : random(10);
    if (id === undefined || kind < 3) {
      say({ try: "put", lane: number, body });
      const { article } = await bot.createArticle({ title: `Lane ${number}`, body });
      say({ done: "put", lane: number, id: article.id, body });
      own.push(article.id);
    } else if (kind < 8) {
      say({ try: "put", lane: number, id, body });
      await bot.updateArticle(id, { body });
      say({ done: "put", lane: number, id, body });
    } else {
      say({ try: "delete", lane: number, id });
      await bot.deleteArticle(id);
      say({ done: "delete", lane: number, id });
      own.splice(own.indexOf(id), 1);
    }
  }
}

async function snapshots(): Promise<never> {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, random(60)));
    if (random(2) === 0) {
      await engine.purge("killed");
      say({ purge: true });
    } else {
      await bot.snapshot();
      say({ snapshot: true });
    }
  }
}

say({ ready: true });
await Promise.all([snapshots(), ...Array.from({ length: Number(lanes) }, (_, number) => lane(number))]);
