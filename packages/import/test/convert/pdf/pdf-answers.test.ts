import { fileURLToPath } from "node:url";
import { type Bot, Engine } from "@loredex/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { importSources } from "../../../src/sources/importing/import-sources.ts";

/** What a person would ask, with the page and words of the answer as they were read in the file beforehand. */
const QUESTIONS: readonly (readonly [question: string, file: string, page: number, words: RegExp])[] = [
  ["What should I do about duplicate times in my data?", "zoo-faq.pdf", 1, /duplicate times/],
  ["warning when I specify a log axis to plot.zoo", "zoo-faq.pdf", 3, /log/],
  ["create a zoo object with both numeric and factor columns", "zoo-faq.pdf", 4, /factor/],
  ["Why does lag give different results on zoo and zooreg?", "zoo-faq.pdf", 5, /lag/],
  ["How do I subtract the mean of all Januaries from each January?", "zoo-faq.pdf", 6, /Januar/],
  ["How do I create a monthly series and keep track of the dates?", "zoo-faq.pdf", 6, /yearmon/],
  ["How are axes added to a plot created with plot.zoo?", "zoo-faq.pdf", 7, /axis|axes/],
  ["Is indexing a zoo object in an inner loop slow?", "zoo-faq.pdf", 14, /inner loop/],
  ["Which scripts compile and link C++ programs?", "mpich-user.pdf", 6, /mpicxx/],
  ["SEEK_SET is #defined but must not be for the C++ binding", "mpich-user.pdf", 6, /SEEK/],
  ["What is the default process manager in MPICH?", "mpich-user.pdf", 8, /Hydra/],
  ["gforker starting processes on a single machine", "mpich-user.pdf", 8, /gforker/],
  ["Pass no environment variables to the processes", "mpich-user.pdf", 9, /envnone/],
  ["prefix standard output with the rank in MPI COMM WORLD", "mpich-user.pdf", 10, /PREFIX/],
  ["Can MPICH be used with Slurm or PBS?", "mpich-user.pdf", 11, /Slurm/],
  ["Which checkpointing library is supported?", "mpich-user.pdf", 13, /BLCR/],
  ["checkpoint the application automatically at regular intervals", "mpich-user.pdf", 14, /ckpoint-interval/],
  ["Where are the frequently asked questions about MPICH?", "mpich-user.pdf", 16, /Frequently|frequently/],
  ["suspend a program if the system is running on battery", "niceload.pdf", 1, /battery/],
  ["pause if the internet connection is overloaded", "niceload.pdf", 2, /internet/],
  ["keep the CPU temperature below 80 degrees", "niceload.pdf", 3, /temperature/],
  ["run rsync but keep the load below 3.4", "niceload.pdf", 4, /rsync/],
  ["generate font metrics from a PFM file", "fop-fonts.pdf", 1, /PFMReader|PFM file/],
  ["add Microsoft Gothic TrueType font", "fop-fonts.pdf", 2, /Gothic/],
  ["What does a red blinking lamp mean?", "kettle.pdf", 3, /blinks red \| boiled dry/],
  ["Which temperature for green tea?", "kettle.pdf", 2, /80 °C \| green tea/],
  ["How do I descale the kettle?", "kettle.pdf", 3, /citric acid/],
  ["What does error E3 mean?", "coffee-machine.pdf", 3, /E3 \| grinder jammed/],
  ["How hot is the plate under the jug?", "coffee-machine.pdf", 2, /78 °C/],
  ["How many grams of beans does the hopper hold?", "coffee-machine.pdf", 1, /250 grams/],
  ["Combien coûte le déplacement ?", "invoice.pdf", 1, /Déplacement|102,85/],
];

const FOLDERS = ["../../fixtures/pdf", "../../../../../examples/acme/manuals"].map((folder) =>
  fileURLToPath(new URL(folder, import.meta.url)),
);

/** How many of the answers must be the first document, and have the right page in its first part. */
const FIRST_MIN = 30;
const PAGE_MIN = 28;

describe("PDFs of six makers", () => {
  let engine: Engine;
  let bot: Bot;

  beforeAll(async () => {
    engine = await Engine.open();
    const { bot: info } = await engine.createBot({ name: "pdf" });
    bot = await engine.bot(info.id);
    const report = await importSources(bot, FOLDERS);
    expect(report).toMatchObject({ added: 7, failed: 0 });
    await bot.whenSearchable();
  }, 120_000);

  afterAll(() => engine.close());

  it("answer what is asked, with the page on which it stands", async () => {
    const misses: string[] = [];
    let first = 0;
    let right = 0;
    for (const [question, file, page, words] of QUESTIONS) {
      const [found] = await bot.search(question);
      const part = found?.similarTextParts[0];
      const isFirst = found?.resourceDocId.endsWith(file) === true;
      const at = isFirst ? pageOf(found.metaData.pages, part?.start ?? 0) : 0;
      if (isFirst) first++;
      if (at === page && words.test(part?.text ?? "")) right++;
      else misses.push(`${question}: ${found?.resourceDocId} page ${at} of ${page}: ${part?.text.slice(0, 80)}`);
    }
    expect(first, misses.join("\n")).toBeGreaterThanOrEqual(FIRST_MIN);
    expect(right, misses.join("\n")).toBeGreaterThanOrEqual(PAGE_MIN);
  });
});

/** The page, from 1, that a line stands on. */
function pageOf(pages: unknown, line: number): number {
  return Array.isArray(pages) ? pages.filter((first) => typeof first === "number" && first <= line).length : 0;
}
