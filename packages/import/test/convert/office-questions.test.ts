import { readdir, readFile } from "node:fs/promises";
import { Engine } from "@loredex/core";
import { expect, it, onTestFinished } from "vitest";
import type { Conversion } from "../../src/convert/conversion.ts";
import { convertDocx } from "../../src/convert/docx.ts";
import type { FileKind } from "../../src/convert/kinds.ts";
import { convertXlsx } from "../../src/convert/tables/xlsx.ts";

const FIXTURES = new URL("../fixtures/office/", import.meta.url);
const DOCS = new URL("../../../../docs/", import.meta.url);

/** What a person asks of the two files, and what stands in the first part of the first answer; written down from the originals. */
const QUESTIONS: readonly (readonly [question: string, id: string, text: string])[] = [
  ["Which door is opened first in the morning?", "handbook", "side door on Mill Lane"],
  ["How warm must the reading room be before the public comes in?", "handbook", "nineteen degrees"],
  ["What happens after three wrong alarm codes?", "handbook", "security company"],
  ["Where is the password of the month kept?", "handbook", "safe"],
  ["How long can I keep a new film?", "handbook", "two days"],
  ["Can atlases be taken home?", "handbook", "maps and atlases"],
  ["fine a day for a board game", "handbook", "0.75 €"],
  ["Are children fined?", "handbook", "under twelve"],
  ["What do I do with a wet book?", "handbook", "blotting paper"],
  ["When does the binder collect books?", "handbook", "Thursdays"],
  ["command for the catalogue export", "handbook", "catalogue export --since yesterday"],
  ["Where do we meet when the building is evacuated?", "handbook", "fountain"],
  ["Where is the defibrillator?", "handbook", "beside the lift"],
  ["rent a month of the Cressdale branch", "branches", "| Cressdale | 7 Market Square | 1987-02-20 | 2,400.00 € |"],
  ["Who is the manager in Dunmouth?", "branches", "Petra Novak"],
  ["When was the branch in Elmswick opened?", "branches", "2011-06-30"],
  ["Which bus drives the coast road?", "branches", "LB 377"],
  ["deposit for the folding ladder", "branches", "| folding ladder | 56.00 € |"],
  ["weight of the heavy hoist in kg", "branches", "| heavy hoist | 69.00 € | 19.5 |"],
  ["Which tool may only be used with the training course?", "branches", "electric welder"],
  ["May I give my library card to a friend?", "branches#0", "A card is personal"],
  ["How often can a loan be renewed?", "branches#1", "Twice at most"],
];

/** Questions whose first answer is the right document with the right lines in its first part. Those that miss are told in the message. */
const FOUND_MIN = 20;

it(`answers questions about files of an office program with the right lines: ${FOUND_MIN} of ${QUESTIONS.length} at least`, async () => {
  const engine = await Engine.open({});
  onTestFinished(() => engine.close());
  const { bot: made } = await engine.createBot({ name: "library", language: "en" });
  const bot = await engine.bot(made.id);
  const read = async (name: string, kind: FileKind) => ({ bytes: await readFile(new URL(name, FIXTURES)), name, kind });
  const handbook = await convertDocx(await read("handbook.docx", "docx"));
  const branches = await convertXlsx(await read("branches.xlsx", "xlsx"));
  const documents = [...documentsOf("handbook", handbook), ...documentsOf("branches", branches)];
  // Other documents, which have answers of their own to give.
  const commands = (await readdir(new URL("command-line/", DOCS))).map((name) => `command-line/${name}`);
  const pages = ["library.md", "http-api.md", "reliability.md", "reliability/load.md", "evaluation.md", "format.md"];
  for (const name of [...pages, "command-line.md", ...commands]) {
    const md = await readFile(new URL(name, DOCS), "utf8");
    documents.push({ resourceDocId: name, type: "DOCUMENT", metaData: { title: name }, content: [{ md }] });
  }
  for (const document of documents) await bot.importDocument(document);
  await bot.whenUpgraded();
  const missed: string[] = [];
  for (const [question, id, text] of QUESTIONS) {
    const [first] = await bot.search(question, { topK: 3 });
    const part = first?.similarTextParts[0];
    if (first?.resourceDocId !== id || part?.text.includes(text) !== true) {
      missed.push(`${question}: ${first?.resourceDocId}, ${JSON.stringify(part?.text.slice(0, 100))}`);
    }
  }
  expect(QUESTIONS.length - missed.length, missed.join("\n")).toBeGreaterThanOrEqual(FOUND_MIN);
});

function documentsOf(id: string, { page, faqs }: Conversion): unknown[] {
  const questions = faqs.map((faq, i) => ({ resourceDocId: `${id}#${i}`, type: "QNA", ...faq }));
  return page === undefined ? questions : [{ resourceDocId: id, ...page }, ...questions];
}
