import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Bot } from "../../src/bot.ts";
import { Engine } from "../../src/engine.ts";

const VERSIONS = ["2.10.3", "12.10.3", "2.10.30", "2.10.3-rc1", "2.3.10", "10.2.3", "2.10.3.1", "1.2.0", "1.0.2"];

/** By what holds the versions: a sentence, the heading above one, the title. */
const FRAMES: Readonly<Record<string, (version: string, i: number) => { title: string; md: string }>> = {
  sentence: (version, i) => ({
    title: `Note ${"abcdefghi"[i]}`,
    md: `Version ${version} mends the printing of labels. Up to ${[2, 10, 3][i % 3]} of them are printed.`,
  }),
  heading: (version, i) => ({
    title: `Note ${"abcdefghi"[i]}`,
    md: `# Releases\n\n## ${version}\n\nMends the printing of up to ${[2, 10, 3][i % 3]} labels.\n\n${"More. ".repeat(120)}`,
  }),
  title: (version, i) => ({
    title: `Release ${version}`,
    md: `Mends the printing of up to ${[2, 10, 3][i % 3]} labels.`,
  }),
};

/** Where the versions stand, and what before them. */
const CASES = Object.entries(FRAMES).flatMap(([where, frame]) => ["", "v"].map((letter) => ({ where, frame, letter })));

describe.each(CASES)(
  "a bot with versions '$letter' in the $where, read by the static embedder,",
  ({ frame, letter }) => {
    let engine: Engine;
    let bot: Bot;

    beforeAll(async () => {
      engine = await Engine.open();
      bot = await engine.bot((await engine.createBot({ name: "versions", embedder: "static" })).bot.id);
      for (const [i, version] of VERSIONS.entries()) {
        const { title, md } = frame(letter + version, i);
        await bot.importDocument({ type: "DOCUMENT", resourceDocId: version, metaData: { title }, content: [{ md }] });
      }
      await bot.whenSearchable();
    });

    afterAll(() => engine.close());

    it.each(VERSIONS)("finds %s first", async (version) => {
      for (const asked of [version, `v${version}`]) {
        for (const question of [asked, `What is new in ${asked}?`, `labels of version ${asked}`]) {
          const [best] = await bot.search(question, { quality: "fast" });
          expect([question, best?.resourceDocId]).toEqual([question, version]);
        }
      }
    });
  },
);
