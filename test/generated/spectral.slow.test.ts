import { spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { OPENAPI_DOCUMENT } from "../../packages/http/src/openapi/document.ts";
import { folderOf, whyNotInstalled } from "../support/npm-package.ts";
import { optionalPart } from "../support/optional-part.ts";

/** A linter of OpenAPI documents. */
const PACKAGE = "@stoplight/spectral-cli@6.16.3";
const FOLDER = folderOf(PACKAGE, fileURLToPath(new URL(".", import.meta.url)));
const spectral = optionalPart("Spectral", whyNotInstalled(PACKAGE, FOLDER));

/** What Spectral finds in a document, hints included. */
async function found(document: object): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "loredex-spectral-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, "rules.json"), '{ "extends": [["spectral:oas", "recommended"]] }');
  await writeFile(join(folder, "openapi.json"), JSON.stringify(document));
  const program = join(FOLDER, "node_modules", "@stoplight", "spectral-cli", "dist", "index.js");
  const args = [program, "lint", "openapi.json", "--ruleset", "rules.json", "--fail-severity", "hint"];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8" });
  return status === 0 ? "" : `${stdout}${stderr}`;
}

it.skipIf(spectral.isMissing)(spectral.named("Spectral finds nothing in the description"), async () => {
  expect(await found(OPENAPI_DOCUMENT)).toBe("");
  const { contact, ...info } = OPENAPI_DOCUMENT.info;
  expect(await found({ ...OPENAPI_DOCUMENT, info })).toContain("info-contact");
});
