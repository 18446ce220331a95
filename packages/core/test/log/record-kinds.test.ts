import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, it } from "vitest";

const SOURCES = fileURLToPath(new URL("../../src/", import.meta.url));
const RECORDS = `${SOURCES}model/records.ts`;
/** The tables of all that depends on the kind of a record. Nothing else decides by it. */
const TABLES = ["log/record-kinds.ts", "catalog/catalog-records.ts"];

/** Files below the sources that do not compile where the records are declared like this. */
function refused(records: string): string[] {
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    exactOptionalPropertyTypes: true,
    allowImportingTsExtensions: true,
    noImplicitReturns: true,
    target: ts.ScriptTarget.ES2023,
    lib: ["lib.es2023.d.ts"],
    types: ["node"],
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
  };
  const host = ts.createCompilerHost(options);
  const read = host.readFile;
  host.readFile = (file) => (file === RECORDS ? records : read(file));
  const program = ts.createProgram(
    TABLES.map((file) => SOURCES + file),
    options,
    host,
  );
  return TABLES.filter((file) => program.getSemanticDiagnostics(program.getSourceFile(SOURCES + file)).length > 0);
}

it("a new kind of record does not compile until it is in the table of its log", () => {
  const records = readFileSync(RECORDS, "utf8");
  expect(refused(records)).toEqual([]);
  const withKind = records
    .replace("export type BotRecord =", 'export type BotRecord =\n  | { readonly kind: "newKind" }')
    .replace(
      "export type CatalogRecord =",
      'export type CatalogRecord =\n  | { readonly kind: "newKind"; readonly id: string }',
    );
  expect(refused(withKind)).toEqual(TABLES);
}, 120_000);
