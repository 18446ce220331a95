/**
 * `npm run write-viewer`: the viewer of the API's description, as it is served at /docs, from the package that viewer.json names. Only the package itself is
 * taken, and nothing of it is run: it depends on one that reports installations to its makers.
 */

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const VIEWER = new URL("../../packages/http/viewer/", import.meta.url);

const source: { name: string; version: string; integrity: string; files: Record<string, string> } = JSON.parse(
  readFileSync(new URL("viewer.json", VIEWER), "utf8"),
);
const folder = mkdtempSync(join(tmpdir(), "loredex-viewer-"));
try {
  const pack = ["pack", `${source.name}@${source.version}`, "--ignore-scripts", "--pack-destination", folder];
  const packed = execFileSync("npm", pack, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  const archive = join(folder, packed);
  const integrity = `sha512-${createHash("sha512").update(readFileSync(archive)).digest("base64")}`;
  if (integrity !== source.integrity) throw new Error(`${packed} is ${integrity}, and not ${source.integrity}`);
  execFileSync("tar", ["-xzf", archive, "-C", folder]);
  for (const name of Object.keys(source.files)) {
    const bytes = readFileSync(join(folder, "package", name));
    source.files[name] = createHash("sha256").update(bytes).digest("hex");
    writeFileSync(new URL(`${name}.gz`, VIEWER), gzipSync(bytes, { level: 9 }));
  }
  for (const name of ["LICENSE", "NOTICE"])
    writeFileSync(new URL(name, VIEWER), readFileSync(join(folder, "package", name)));
  writeFileSync(new URL("viewer.json", VIEWER), `${JSON.stringify(source, null, 2)}\n`);
} finally {
  rmSync(folder, { recursive: true });
}
