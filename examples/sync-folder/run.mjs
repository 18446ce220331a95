/** Runs sync-folder through its whole life, on a copy of the sample folder and a server of its own. */

import { strict as assert } from "node:assert";
import { spawn } from "node:child_process";
import { cp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { LoredexClient } from "@loredex/client";
import { readable } from "../shared/answers.mjs";
import { withOwnServer } from "../shared/own-server.mjs";
import { inTemporaryDirectory } from "../shared/temporary-directory.mjs";

const PROGRAM = fileURLToPath(new URL("sync-folder.mjs", import.meta.url));
const SAMPLE = fileURLToPath(new URL("sample", import.meta.url));

/**
 * Calls the program as a person would.
 * @param {{ baseUrl: string, key: string }} service
 * @param {string[]} args
 * @returns {Promise<{ exitCode: number | null, output: string }>}
 */
function sync({ baseUrl, key }, ...args) {
  console.log(`\n$ node sync-folder.mjs ${args.map((arg) => arg.replace(/.*[/\\](?=help$)/, "")).join(" ")}`);
  const env = { ...process.env, LOREDEX_URL: baseUrl, LOREDEX_KEY: key };
  const child = spawn(process.execPath, [PROGRAM, ...args], { env, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text) => {
      output += text;
      process.stdout.write(text);
    });
  }
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (exitCode) => resolve({ exitCode, output }));
  });
}

/**
 * @param {{ baseUrl: string, key: string }} service
 * @param {string} directory
 */
async function wholeLife(service, directory) {
  const client = new LoredexClient({ baseUrl: service.baseUrl, key: service.key });
  const folder = join(directory, "help");
  await cp(SAMPLE, folder, { recursive: true });
  // An article that somebody wrote by hand: it is none of the program's business.
  const { article: byHand } = await client.createArticle({ title: "Written by hand", body: "Leave me alone.\n" });

  const dry = await sync(service, folder, "--dry-run");
  assert.match(dry.output, /3 created, 0 updated, 0 removed, 0 unchanged, 0 not in step/);
  assert.equal((await all(client.listArticles())).length, 1);

  const first = await sync(service, folder);
  assert.equal(first.exitCode, 0);
  assert.match(first.output, /3 created, 0 updated, 0 removed, 0 unchanged, 0 not in step/);

  const again = await sync(service, folder);
  assert.match(again.output, /0 created, 0 updated, 0 removed, 3 unchanged, 0 not in step/);

  await writeFile(join(folder, "opening-hours.md"), "# When can I reach support?\n\nDay and night, all year round.\n");
  await rm(join(folder, "return-policy.md"));
  const changed = await sync(service, folder);
  assert.match(changed.output, /0 created, 1 updated, 1 removed, 1 unchanged, 0 not in step/);

  await writeFile(join(folder, "larger-than-a-minute.md"), `# Minutes\n\n${"a long, long story. ".repeat(5_000)}\n`);
  await writeFile(join(folder, "larger-than-a-request.md"), `# Request\n\n${"a long, long story. ".repeat(60_000)}\n`);
  await writeFile(join(folder, "not-text.md"), Uint8Array.of(0xff, 0xfe, 0x00));
  await writeFile(join(folder, "nothing.md"), "");
  await writeFile(join(folder, "payment.md"), "# How can I pay?\n\nBy card, or by transfer within 14 days.\n");
  const partly = await sync(service, folder);
  assert.equal(partly.exitCode, 1);
  assert.match(partly.output, /1 created, 0 updated, 0 removed, 2 unchanged, 4 not in step/);

  const articles = await all(client.listArticles());
  assert.deepEqual(
    articles.map(({ id, metadata }) => metadata.externalId ?? id).sort(),
    ["billing/invoices.md", byHand.id, "opening-hours.md", "payment.md"].sort(),
  );
  for (const { id } of articles) await client.waitUntilActive(id);
  console.log("\nand a search finds it: when can I call support?");
  console.log(readable(await client.search("when can I reach support?", { topK: 1 })));
}

/**
 * @template T
 * @param {AsyncIterable<T>} items
 */
async function all(items) {
  /** @type {T[]} */
  const list = [];
  for await (const item of items) list.push(item);
  return list;
}

await withOwnServer((service) => inTemporaryDirectory((directory) => wholeLife(service, directory)));
