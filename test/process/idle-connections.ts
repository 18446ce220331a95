/**
 * A server with some bots, under a limit of open files: `idle-connections.ts DIRECTORY BOTS`. Says its address and the bots' keys in
 * one line, and ends when its input does.
 */

import { Engine } from "@loredex/core";
import { createApiServer } from "@loredex/http";

const [, , directory, botCount] = process.argv;
if (directory === undefined) throw new Error("two arguments are needed");

const engine = await Engine.open({ directory, embedders: {} });
async function keyOfNewBot(name: string): Promise<string> {
  const { bot, key } = await engine.createBot({ name, embedder: "none" });
  await (await engine.bot(bot.id)).createArticle({ title: "Harbour", body: "Ships sleep." });
  return key;
}
const keys: string[] = [];
while (keys.length < Number(botCount)) {
  // Some at a time: one after the other they would wait for the disk for most of a test.
  keys.push(...(await Promise.all(Array.from({ length: 10 }, (_, i) => keyOfNewBot(`bot ${keys.length + i}`)))));
}
const server = createApiServer(engine);
const { port } = await server.listen({ port: 0, host: "127.0.0.1" });
process.stdout.write(`${JSON.stringify({ port, keys })}\n`);
process.stdin.resume().once("end", () => {
  void server.close({ timeoutMs: 0 }).then(() => engine.close());
});
