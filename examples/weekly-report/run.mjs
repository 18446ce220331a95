/** Reports on two bots of a server of its own, whose users have asked and whose golden questions were run. */

import { strict as assert } from "node:assert";
import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { LoredexAdmin, LoredexClient } from "@loredex/client";
import { serve } from "loredex";
import { inTemporaryDirectory } from "../shared/temporary-directory.mjs";

const PROGRAM = fileURLToPath(new URL("report.mjs", import.meta.url));
const ARTICLES = [
  { title: "Refunds", body: "A refund takes three working days." },
  { title: "Money back", body: "A refund takes five working days." },
  { title: "Delivery", body: "We deliver within two days." },
];
const QUESTIONS = ["who repairs bicycles", "who repairs bicycles", "do you have gift cards", "how long is a refund"];

/** A week of a shop: articles, questions of users, and two runs of its golden questions. @param {LoredexAdmin} admin @param {string} baseUrl */
async function live(admin, baseUrl) {
  const { key } = await admin.createBot({ name: "shop", embedder: "none", questionLog: true });
  const users = new LoredexClient({ baseUrl, key });
  for (const article of ARTICLES) await users.waitUntilActive((await users.createArticle(article)).article.id);
  for (const [at, question] of QUESTIONS.entries()) await users.search(question, { requestId: `question-${at}` });
  await users.feedback({ requestId: "question-0", helpful: false });
  const [{ id } = { id: "" }] = await admin.listArticles("shop");
  const golden = { question: "how long does a refund take", id };
  for (const questions of [[golden], [golden, { question: "who repairs bicycles", id }]]) {
    await admin.setGolden("shop", { questions });
    await admin.waitForJob("shop", (await admin.startRun("shop")).id);
  }
  await admin.createBot({ name: "handbook", embedder: "none" });
}

/** @param {string} directory */
async function report(directory) {
  const server = await serve({ directory, port: 0, console: {} });
  try {
    const { url } = server;
    await live(new LoredexAdmin({ baseUrl: url, key: await server.engine.administration.addKey("owner") }), url);
    const key = await server.engine.administration.addKey("report", { scope: "read" });
    const env = { ...process.env, LOREDEX_URL: url, LOREDEX_ADMIN_KEY: key };
    const child = spawn(process.execPath, [PROGRAM], { env, stdio: ["ignore", "pipe", "inherit"] });
    const said = await text(child.stdout);
    console.log(said);
    assert.match(said, /^1\. who repairs bicycles: asked 2 times, 2 this week, 0 the week before/m);
    assert.match(said, /^\| Questions \| 4 \| – \|$/m);
    assert.match(said, /^\| Missed \| 1 of 2 \| 0 of 1 \|$/m);
    assert.match(said, /^## handbook\n\n- Found by words alone.*\n\nIts question log is off/m);
  } finally {
    await server.close();
  }
}

await inTemporaryDirectory(report);
