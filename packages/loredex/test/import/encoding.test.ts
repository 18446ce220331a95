import { writeFile } from "node:fs/promises";
import { Readable } from "node:stream";
import { importSources } from "@loredex/import";
import { expect, it } from "vitest";
import { openForImport } from "../support/import-kit.ts";

/** Two words in Shift_JIS, of which nothing can be guessed. */
const WORDS = "\u8fd4\u54c1\u6599\u91d1";
const BYTES = Buffer.from("95d4956997bf8be0", "hex");

it("a text is read as its owner says that it is written, and anew when that is said otherwise", async () => {
  const kit = await openForImport();
  const rows = Buffer.concat([Buffer.from("name,count\n"), BYTES, Buffer.from(",1\n")]);
  await kit.write({ "docs/c.md": "Gr\u00fc\u00dfe" });
  await writeFile(kit.at("docs/a.txt"), BYTES);
  await writeFile(kit.at("docs/b.csv"), rows);
  expect(await kit.import(["docs"])).toMatchObject({ added: 3 });
  expect(Object.values(await kit.texts()).join()).not.toContain(WORDS);
  expect(await kit.import(["docs"], { encoding: "shift_jis" })).toMatchObject({ changed: 2, unchanged: 1, notes: [] });
  expect(Object.values(await kit.texts())).toEqual([
    WORDS,
    `| name | count |\n| --- | --- |\n| ${WORDS} | 1 |\n`,
    "Gr\u00fc\u00dfe",
  ]);
  const stdin = Readable.from([BYTES]);
  await importSources(kit.bot, ["-"], { source: "pipe", kind: "text", stdin, encoding: "shift_jis" });
  expect(await kit.texts()).toMatchObject({ "file:pipe/stdin": WORDS });
  await expect(kit.import(["docs"], { encoding: "klingon" })).rejects.toThrow("no encoding is called");
});
