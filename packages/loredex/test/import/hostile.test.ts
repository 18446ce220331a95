import { mkdir, truncate, writeFile } from "node:fs/promises";
import { deflateRawSync } from "node:zlib";
import { expect, it } from "vitest";
import { openForImport } from "../support/import-kit.ts";

it("hostile files are named, each with what is wrong, and all others go in", async () => {
  const kit = await openForImport();
  const good = Object.fromEntries(
    Array.from({ length: 200 }, (_, at): [string, string] => [
      `kb/${at}.${at % 20 === 0 ? "csv" : "md"}`,
      `k,v\nx,${at}\n`,
    ]),
  );
  await kit.write({ ...good, "kb/empty.md": "", "kb/empty.csv": "", "kb/picture.txt": "\u0089PNG\u0000\u0000" });
  await kit.write({ "kb/large.csv": "", "kb/broken.xlsx": "PK\u0003\u0004 and no more" });
  // One that is large on paper only: it is refused before it is read.
  await truncate(kit.at("kb/large.csv"), 1_024 ** 3);
  const bomb = zipBomb(8 * 1_024 ** 3);
  for (const name of ["kb/bomb.xlsx", "kb/bomb.docx"]) await writeFile(kit.at(name), bomb);
  const report = await kit.import(["kb"]);
  expect(report).toMatchObject({ added: 200, passedOver: 0 });
  const told = new Map(report.problems.map(({ place, message }) => [place, message]));
  expect(told.get(kit.at("kb/large.csv"))).toBe("it has more than 256 MiB; divide it into several");
  expect(told.get(kit.at("kb/picture.txt"))).toBe("the file is no text");
  for (const name of ["kb/broken.xlsx", "kb/bomb.xlsx", "kb/bomb.docx"]) {
    expect(told.get(kit.at(name)), name).toMatch(/^[^{}]{10,300}$/);
  }
  const silent = [...report.problems.map(({ place }) => place), ...report.notes.map((note) => note.split(": ", 1)[0])];
  expect(silent).toEqual(expect.arrayContaining([kit.at("kb/empty.md"), kit.at("kb/empty.csv")]));
});

it.runIf(process.platform === "linux")("names that are not in UTF-8 are told as that", async () => {
  const kit = await openForImport();
  await kit.write({ "kb/good.md": "# Good\n" });
  const named = (name: string): Buffer => Buffer.concat([Buffer.from(`${kit.at("kb")}/`), Buffer.from(name, "latin1")]);
  await writeFile(named("bad\u00ff.md"), "# Bad\n");
  await mkdir(named("fol\u00ffder"));
  const { added, problems } = await kit.import(["kb", "kb/bad\ufffd.md", "kb/none.md"]);
  const words = "its name, or that of a folder that it is in, is not in UTF-8; rename it";
  expect(added).toBe(1);
  expect(problems.map(({ place, message }) => `${place.slice(kit.at("kb").length)}: ${message}`).sort()).toEqual([
    `/bad\ufffd.md: ${words}`,
    `/bad\ufffd.md: ${words}`,
    `/fol\ufffdder: ${words}`,
    "/none.md: there is no such file or folder",
  ]);
});

/** What is packed once and then repeated. */
const ZEROS_BYTES = 16 * 1_024 ** 2;

/** A zip whose parts are zeros without end, said to be a few bytes each. */
function zipBomb(bytes: number): Buffer {
  const piece = deflateRawSync(Buffer.alloc(ZEROS_BYTES), { level: 9 });
  // Not the last block: more of the same may follow.
  const open = deflateRawSync(Buffer.alloc(ZEROS_BYTES), { level: 9, finishFlush: 2 });
  const count = Math.floor(bytes / ZEROS_BYTES) - 1;
  const data = Buffer.concat([...Array.from({ length: count }, () => open), piece]);
  const names = ["[Content_Types].xml", "xl/workbook.xml", "xl/worksheets/sheet1.xml", "word/document.xml"];
  const locals: Buffer[] = [];
  const centrals: Buffer[] = [];
  let at = 0;
  for (const name of names) {
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(8, 4);
    fields.writeUInt32LE(data.length, 14);
    fields.writeUInt32LE(1_000, 18);
    fields.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from("PK\u0003\u0004"), fields, Buffer.from(name), data]);
    const place = Buffer.alloc(16);
    place.writeUInt32LE(at, 12);
    centrals.push(
      Buffer.concat([
        Buffer.from("PK\u0001\u0002"),
        Buffer.from([20, 0]),
        fields.subarray(0, 24),
        Buffer.alloc(2),
        Buffer.alloc(2),
        place.subarray(0, 0),
        Buffer.alloc(10),
        place.subarray(12),
        Buffer.from(name),
      ]),
    );
    locals.push(local);
    at += local.length;
  }
  const central = Buffer.concat(centrals);
  const end = Buffer.alloc(22);
  end.write("PK\u0005\u0006", 0, "latin1");
  end.writeUInt16LE(names.length, 8);
  end.writeUInt16LE(names.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...locals, central, end]);
}
