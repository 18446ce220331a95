#!/usr/bin/env node
/** Keeps a folder of markdown in step with a bot's articles. */

import { basename, resolve } from "node:path";
import { parseArgs } from "node:util";
import { LoredexClient, LoredexError } from "@loredex/client";
import { readFolder } from "./files.mjs";

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
  try {
    const client = new LoredexClient({
      baseUrl,
      key,
      onWait: (seconds, error) => console.log(`  waiting ${Math.ceil(seconds)} s: ${error.message}`),
    });
    const { files, problems } = await readFolder(path);
    // In every article that it makes, and in no other: nothing else is ever touched.
    const where = { managedBy: "sync-folder", folder: name };
    const articles = files.map(({ path: externalId, title, body }) => ({
      title,
      body,
      metadata: { ...where, externalId },
    }));
    const outcome = await client.sync(articles, {
      by: "externalId",
      where,
      remove: true,
      // A file that is there and cannot be read keeps the article that it has.
      keep: problems.map(({ path: externalId }) => externalId),
      allowEmpty,
      dryRun,
      onProgress: ({ action, value }) => console.log(`${dryRun ? "would " : ""}${action} ${value}`),
    });
    const notInStep = [
      ...problems.map(({ path: file, message }) => `${file}: ${message}`),
      ...outcome.problems.map(({ value, error }) => `${value}: ${explain(error)}`),
    ];
    for (const problem of notInStep) console.error(`not in step: ${problem}`);
    const { created, updated, removed, unchanged } = outcome;
    console.log(
      `${dryRun ? "dry run: " : ""}${created} created, ${updated} updated, ${removed} removed, ${unchanged} unchanged, ${notInStep.length} not in step`,
    );
    return notInStep.length === 0 ? 0 : 1;
  } catch (error) {
    console.error(`stopped: ${explain(error)}`);
    console.error("Run it again when that is settled: it goes on where it stopped.");
    return 1;
  }
}

/**
 * Status, code and message; where rules are broken, one line for each.
 * @param {unknown} error
 */
function explain(error) {
  if (!(error instanceof LoredexError)) return error instanceof Error ? error.message : String(error);
  const { status, code, message, violations } = error;
  if (status === undefined) return message;
  const rules = violations.map((rule) => `\n  ${rule.field} (${rule.type}): ${rule.message}`);
  const said = rules.length === 0 ? ` ${message}` : rules.join("");
  return `${status}${code === undefined ? "" : `, code ${code}`}:${said}`;
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
