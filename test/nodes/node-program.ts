/**
 * A node: an engine on PostgreSQL behind its HTTP API. Its settings are JSON in the variable `NODE_SETTINGS`. It prints its address as the first line.
 * Each line of its standard input is a call, which it answers with a line.
 */

import { createInterface } from "node:readline";
import { Engine } from "@loredex/core";
import { createApiServer } from "@loredex/http";
import { openPostgres } from "@loredex/postgres";
import type { Answer, Call, NodeSettings } from "./node-calls.ts";

const { store, schema, migrate, memoryBytes, openBotsMax }: NodeSettings = JSON.parse(process.env.NODE_SETTINGS ?? "");
const say = (answer: Answer): void => {
  process.stdout.write(`${JSON.stringify(answer)}\n`);
};

const storage = await openPostgres(store, { schema, ...(migrate === undefined ? {} : { migrate }) });
const engine = await Engine.open({
  storage,
  embedders: {},
  ...(memoryBytes === undefined ? {} : { memoryBytes }),
  ...(openBotsMax === undefined ? {} : { openBotsMax }),
});
const api = createApiServer(engine);
const { url } = await api.listen({ port: 0, host: "127.0.0.1" });
let openBots = 0;
setInterval(() => {
  openBots = Math.max(openBots, engine.openBots);
}, 20).unref();

async function answered(call: Call): Promise<Answer> {
  try {
    if (call.is === "snapshot") await (await engine.bot(call.bot)).snapshot();
    if (call.is === "purge") await engine.purge(call.bot);
    return { number: call.number, openBots };
  } catch (error) {
    return { number: call.number, openBots, error: String(error) };
  }
}

createInterface({ input: process.stdin }).on("line", (line) => {
  const call: Call = JSON.parse(line);
  void answered(call).then(say);
});
say({ number: 0, openBots, url });
