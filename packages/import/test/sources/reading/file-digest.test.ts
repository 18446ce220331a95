import { join } from "node:path";
import { SOURCE_DIGEST_CHARACTERS_MAX } from "@loredex/core";
import { expect, it } from "vitest";
import type { KnownDocument } from "../../../src/sources/belonging/brought-files.ts";
import { digestOf } from "../../../src/sources/reading/file-digest.ts";
import { type FoundDocument, readFileItems } from "../../../src/sources/reading/read-file.ts";
import { writeFiles } from "../../support/files.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

/** A page that becomes a document and two questions, and what becomes of it when it is read again. */
async function kit() {
  const root = await temporaryDirectory();
  const path = join(root, "page.html");
  const origin = { source: "kb", argument: "docs", path: "page.html" };
  const file = { path, real: path, kind: "html", placed: { kind: "placed", id: "file:page.html", origin } } as const;
  await writeFiles(root, { "page.html": "<p>A</p>" });
  let converted = 0;
  interface Given {
    readonly drafts?: boolean;
    readonly notes?: readonly string[];
    readonly isSaid?: (real: string, mark: string) => boolean;
  }
  const read = async (known: readonly KnownDocument[], { notes = [], ...given }: Given = {}) => {
    const before = converted;
    const items = await readFileItems(file, {
      type: "DOCUMENT",
      drafts: false,
      ...given,
      knownAt: () => known,
      convert: async () => {
        converted += 1;
        const answer = { question: "Why?", answer: "So." };
        const page = { type: "WEBPAGE", metaData: { title: "A" }, content: [{ md: "A" }] } as const;
        return { page, faqs: [answer, { ...answer, question: "How?" }], notes };
      },
    });
    const all = [];
    for await (const item of items) all.push(item);
    return { items: all, isConverted: converted > before };
  };
  return { read, change: () => writeFiles(root, { "page.html": "<p>B</p>" }) };
}

const known = (items: readonly unknown[]): KnownDocument[] =>
  (items as FoundDocument[]).map(({ document, origin }) => ({
    id: (document as { readonly resourceDocId: string }).resourceDocId,
    origin,
  }));

it("a file that is the same as when it was brought is not converted again", async () => {
  const { read, change } = await kit();
  const first = known((await read([])).items);
  expect(first).toHaveLength(3);
  const again = await read(first);
  expect(again).toEqual({
    isConverted: false,
    items: [
      { kind: "unchanged", ids: first.map(({ id }) => id), file: expect.stringMatching(/page\.html$/), notes: 0 },
    ],
  });
  await change();
  expect((await read(first)).isConverted).toBe(true);
});

it("is converted where what it would bring may be something else, or is not all there", async () => {
  const { read } = await kit();
  const first = known((await read([])).items);
  expect((await read(first.slice(1))).isConverted).toBe(true);
  expect((await read(first, { drafts: true })).isConverted).toBe(true);
  const elsewhere = first.map(({ id, origin }) => ({ id, origin: { ...origin, argument: "another" } }));
  expect((await read(elsewhere)).isConverted).toBe(true);
  const unmarked = first.map(({ id, origin: { digest: _, ...origin } }) => ({ id, origin }));
  expect((await read(unmarked)).isConverted).toBe(true);
  expect((await read(first)).isConverted).toBe(false);
});

it("is not converted again for what it had brought when it was another one", async () => {
  const { read, change } = await kit();
  const [page, why, how] = known((await read([])).items);
  const former = [page, why, how].filter((one) => one !== undefined);
  await change();
  const now = known((await read(former)).items);
  const stale = former.slice(0, 1).map(({ origin }) => ({ id: "file:page.html#gone", origin }));
  expect(await read([...stale, ...now])).toMatchObject({
    isConverted: false,
    items: [{ ids: now.map(({ id }) => id) }],
  });
  expect((await read([...stale, ...now.slice(1)])).isConverted).toBe(true);
});

it("is converted again where what was to be said of it was not said, and counts what was", async () => {
  const { read } = await kit();
  const first = known((await read([], { notes: ["One.", "Two."] })).items.filter(({ kind }) => kind === "document"));
  const marks: string[] = [];
  const isSaid = (_: string, mark: string): boolean => marks.push(mark) > 1;
  expect((await read(first, { isSaid })).isConverted).toBe(true);
  expect(await read(first, { isSaid })).toMatchObject({ isConverted: false, items: [{ notes: 2 }] });
  expect(marks[0]).toMatch(/^2-[0-9a-f]{16}$/);
  expect(first[0]?.origin.digest?.length).toBeLessThanOrEqual(SOURCE_DIGEST_CHARACTERS_MAX);
});

it("is known by its name, by how it is read, and by what reads it", async () => {
  const root = await temporaryDirectory();
  const path = join(root, "a.pdf");
  await writeFiles(root, { "a.pdf": "x" });
  const by = { name: "a.pdf", kind: "pdf", type: "DOCUMENT", drafts: false };
  const all = [
    await digestOf(path, by),
    await digestOf(path, { ...by, name: "b.pdf" }),
    await digestOf(path, { ...by, kind: "docx" }),
    await digestOf(path, { ...by, type: "PDF" }),
    await digestOf(path, { ...by, drafts: true }),
    await digestOf(path, by, { version: "999.0.0" }),
  ];
  expect(new Set(all).size).toBe(all.length);
  expect(await digestOf(path, by)).toBe(all[0]);
});
