import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { machineProgram } from "../../../../test/support/machine-program.ts";
import type { Conversion, Converter } from "../../src/convert/conversion.ts";
import { convertDocx } from "../../src/convert/docx.ts";
import type { FileKind } from "../../src/convert/kinds.ts";
import { convertCsv } from "../../src/convert/tables/csv.ts";
import { convertXlsx } from "../../src/convert/tables/xlsx.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const FIXTURES = fileURLToPath(new URL("../fixtures/office/", import.meta.url));
const run = promisify(execFile);

const office = machineProgram("soffice");

/** What LibreOffice writes of a file, converted. */
async function written(source: string, filter: string, kind: FileKind, convert: Converter): Promise<Conversion> {
  const directory = await temporaryDirectory();
  const profile = `-env:UserInstallation=file://${join(directory, "profile")}`;
  await run("soffice", ["--headless", "--norestore", profile, "--convert-to", filter, "--outdir", directory, source]);
  const name = source.slice(source.lastIndexOf("/") + 1).replace(/\.\w+$/, `.${kind}`);
  return convert({ bytes: await readFile(join(directory, name)), name, kind });
}

describe.skipIf(office.isMissing)(office.named("files that the LibreOffice of this machine writes"), () => {
  it("a text document is converted as the one that is kept", { timeout: 120_000 }, async () => {
    const found = await written(join(FIXTURES, "handbook.fodt"), "docx:MS Word 2007 XML", "docx", convertDocx);
    const kept = await convertDocx({
      bytes: await readFile(join(FIXTURES, "handbook.docx")),
      name: "handbook.docx",
      kind: "docx",
    });
    expect(found.page?.content).toEqual(kept.page?.content);
    expect(found.page?.content[0]?.md).not.toMatch(/Table of Contents|internal use|seven/);
  });

  it("a workbook is converted as the one that is kept, and its first sheet as the same table in csv", {
    timeout: 120_000,
  }, async () => {
    const source = join(FIXTURES, "branches.fods");
    const found = await written(source, "xlsx:Calc MS Excel 2007 XML", "xlsx", convertXlsx);
    const kept = await convertXlsx({
      bytes: await readFile(join(FIXTURES, "branches.xlsx")),
      name: "branches.xlsx",
      kind: "xlsx",
    });
    expect([found.page?.content, found.faqs]).toEqual([kept.page?.content, kept.faqs]);
    const csv = await written(source, "csv:Text - txt - csv (StarCalc):59,34,76,1", "csv", convertCsv);
    expect(csv.page?.metaData.title).toBe("Branches of the library");
    expect(csv.page?.content[0]?.md).toContain(
      "| Town | Street | Opened | Rent a month | Share of loans | Manager |\n| --- |",
    );
  });
});
