/**
 * A program that writes articles one after the other on a disk that fails, says what came of each, and whether reading
 * goes on. Run as `faulty-life.ts DIRECTORY WRITES`; with `descriptors` behind that it takes all file descriptors first,
 * and gives them back halfway.
 */

import { closeSync, openSync, writeSync } from "node:fs";
import { Engine, LoredexError } from "@loredex/core";

const [, , directory = "", writes = "0", mode] = process.argv;

function say(event: object): void {
  writeSync(1, `${JSON.stringify(event)}\n`);
}

function codeOf(error: unknown): string {
  if (error instanceof LoredexError) return error.code;
  throw error;
}

/** Takes every descriptor that the system gives; returns what gives them back. */
function takeDescriptors(): () => void {
  const taken: number[] = [];
  try {
    for (;;) taken.push(openSync("/dev/null", "r"));
  } catch {
    return () => {
      for (const descriptor of taken) closeSync(descriptor);
    };
  }
}

try {
  const engine = await Engine.open({ directory, embedders: {} });
  const bot = await engine.bot("faulty");
  // What is loaded late is loaded by now.
  await bot.search("ready");
  say({ opened: true });
  const release = mode === "descriptors" ? takeDescriptors() : () => undefined;
  for (let n = 0; n < Number(writes); n += 1) {
    if (n === Number(writes) >> 1) release();
    try {
      const { article } = await bot.createArticle({ title: `Write ${n}`, body: `Body of write ${n}.` });
      say({ n, id: article.id });
    } catch (error) {
      say({ n, code: codeOf(error) });
    }
    if (n % 3 === 2) {
      await bot.snapshot().then(
        () => say({ snapshot: n }),
        (error: unknown) => say({ snapshot: n, code: codeOf(error) }),
      );
    }
    if (mode === "descriptors") {
      await engine.bot("other").then(
        () => say({ other: n }),
        (error: unknown) => say({ other: n, code: codeOf(error) }),
      );
    }
    await bot.whenSearchable();
    say({ reads: (await bot.listArticles()).length, found: (await bot.search("body of write")).length });
  }
  await engine.close();
} catch (error) {
  say({ ended: codeOf(error) });
}
