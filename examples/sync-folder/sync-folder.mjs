#!/usr/bin/env node
/** Keeps a folder of markdown in step with a bot's articles. */

import { basename, resolve } from "node:path";
import { parseArgs } from "node:util";
import { explain, LoredexClient } from "../http-client/client.mjs";
import { readFolder } from "./files.mjs";
import { syncFolder, WouldEmptyError } from "./sync.mjs";

const USAGE = `usage: node sync-folder.mjs FOLDER [--url URL] [--key KEY] [--name NAME] [--dry-run] [--allow-empty]

  --url URL       the service; default LOREDEX_URL, else http://127.0.0.1:8080
  --key KEY       the bot's key; default LOREDEX_KEY
  --name NAME     keeps the folder's articles apart from those of other folders; default: the folder's name
  --dry-run       say what would be done, change nothing
  --allow-empty   let an empty folder remove all its articles

exit code: 0 in step, 1 something could not be synced, 2 wrong usage`;

/**
 * @param {string[]} args
 * @returns {Promise<number>} the exit code
 */
async function main(args) {
  let options;
  try {
    options = readArguments(args);
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${USAGE}`);
    return 2;
  }
  const { path, name, dryRun, allowEmpty, baseUrl, key } = options;
  const client = new LoredexClient({
    baseUrl,
    key,
    onWait: (seconds, { status }) => console.log(`  the service asks to wait ${seconds} s (${status})`),
    // A large folder waits a minute for every 15,000 characters or so; other programs may write to the bot meanwhile.
    attemptsMax: 100,
  });
  try {
    const local = await readFolder(path);
    const say = dryRun ? "would " : "";
    const onAction = (/** @type {string} */ action, /** @type {string} */ file) =>
      console.log(`${say}${action} ${file}`);
    const outcome = await syncFolder({ client, folder: name, local, dryRun, allowEmpty, onAction });
    for (const problem of outcome.problems) console.error(`not in step: ${problem.path}: ${problem.message}`);
    const { created, updated, removed, unchanged, problems } = outcome;
    console.log(
      `${dryRun ? "dry run: " : ""}${created} created, ${updated} updated, ${removed} removed, ${unchanged} unchanged, ${problems.length} not in step`,
    );
    return problems.length === 0 ? 0 : 1;
  } catch (error) {
    console.error(`stopped: ${explain(error)}`);
    if (!(error instanceof WouldEmptyError))
      console.error("Run it again when that is settled: it goes on where it stopped.");
    return 1;
  }
}

/** @param {string[]} args */
function readArguments(args) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      url: { type: "string" },
      key: { type: "string" },
      name: { type: "string" },
      "dry-run": { type: "boolean", default: false },
      "allow-empty": { type: "boolean", default: false },
    },
  });
  const [folder, ...rest] = positionals;
  if (folder === undefined || rest.length > 0) throw new Error("Name exactly one folder.");
  const key = values.key ?? process.env.LOREDEX_KEY;
  if (!key) throw new Error("Give the bot's key with --key or in LOREDEX_KEY.");
  const path = resolve(folder);
  return {
    path,
    key,
    name: values.name ?? basename(path),
    baseUrl: values.url ?? process.env.LOREDEX_URL ?? "http://127.0.0.1:8080",
    dryRun: values["dry-run"],
    allowEmpty: values["allow-empty"],
  };
}

process.exitCode = await main(process.argv.slice(2));
