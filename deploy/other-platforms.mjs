/**
 * Takes out of an installation what only other platforms and debuggers need. The encoder's runtime brings its libraries for six
 * platforms, of which one is used. For images that are never moved to another machine; `npm ci` brings all of it back.
 *
 *     node other-platforms.mjs NODE_MODULES
 */

import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";

const [, , modules] = process.argv;
if (modules === undefined) throw new Error("Say which node_modules.");
const { platform, arch } = process;

/** Folders of one platform each, and what the one of this is called. */
const RUNTIME = join(modules, "onnxruntime-node", "bin", "napi-v3");
const PREBUILT = join(modules, "fs-native-extensions", "prebuilds");

for (const name of namesIn(RUNTIME)) if (name !== platform) remove(join(RUNTIME, name));
for (const name of namesIn(join(RUNTIME, platform))) if (name !== arch) remove(join(RUNTIME, platform, name));
for (const name of namesIn(PREBUILT)) if (!name.startsWith(`${platform}-${arch}`)) remove(join(PREBUILT, name));
for (const path of filesBelow(modules)) if (path.endsWith(".map")) remove(path);

/** @param {string} directory */
function namesIn(directory) {
  try {
    return readdirSync(directory);
  } catch {
    // What is optional may not be installed.
    return [];
  }
}

/** @param {string} directory @returns {Generator<string>} */
function* filesBelow(directory) {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path);
    else if (statSync(path).isFile()) yield path;
  }
}

/** @param {string} path */
function remove(path) {
  rmSync(path, { recursive: true });
}
