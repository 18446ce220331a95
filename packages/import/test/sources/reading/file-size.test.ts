import { join } from "node:path";
import { expect, it } from "vitest";
import type { Conversion } from "../../../src/convert/conversion.ts";
import { type FileReading, readFileItems, type SourceItem } from "../../../src/sources/reading/read-file.ts";
import { readStdin } from "../../../src/sources/reading/read-stdin.ts";
import { writeFiles } from "../../support/files.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const MIB = 1_048_576;
const placed = { kind: "placed", id: "file:a", origin: { source: "kb" } } as const;

function reading(kind: FileReading["kind"], md = "A"): FileReading {
  const page: Conversion["page"] = { type: "TABLE", metaData: { title: "A" }, content: [{ md }] };
  const faqs = [{ question: "Why?", answer: md }];
  const said = kind === undefined ? {} : { kind };
  return {
    ...said,
    type: "DOCUMENT",
    drafts: false,
    knownAt: () => [],
    convert: async () => ({ page, faqs, notes: [] }),
  };
}

async function all(items: Iterable<SourceItem> | AsyncIterable<SourceItem>): Promise<SourceItem[]> {
  const list: SourceItem[] = [];
  for await (const item of items) list.push(item);
  return list;
}

it("a document on its way counts with the text that it has, however little its file was", async () => {
  const root = await temporaryDirectory();
  await writeFiles(root, { "a.xlsx": "packed" });
  const path = join(root, "a.xlsx");
  const items = await all(
    await readFileItems({ path, real: path, kind: "xlsx", placed }, reading(undefined, "\u00e4".repeat(MIB))),
  );
  const bytes = items.map((item) => (item.kind === "document" ? Math.floor(item.bytes / MIB) : item.kind));
  expect(bytes).toEqual([2, 2]);
});

it("a text is no larger by the standard input than as a file; what is converted may be", async () => {
  async function* stream(): AsyncGenerator<Uint8Array> {
    const piece = new Uint8Array(MIB).fill(0x61);
    for (let i = 0; i < 65; i += 1) yield piece;
  }
  const [refused] = await all(await readStdin(stream(), placed, reading("text")));
  expect(refused).toMatchObject({ kind: "problem", message: "it has more than 64 MiB; divide it into several" });
  expect(await all(await readStdin(stream(), placed, reading("pdf")))).toMatchObject([
    { kind: "document" },
    { kind: "document" },
  ]);
});
