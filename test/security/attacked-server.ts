/**
 * A server with a bot that is attacked and a quiet one: `attacked-server.ts DIRECTORY ARTICLES ARTICLE_BYTES DOCUMENTS DOCUMENT_BYTES`. Says where it is in one line, the most
 * memory that it has had in another for each line that it is sent, and ends when its input does.
 */

import { createInterface } from "node:readline";
import { Engine } from "@loredex/core";
import { createApiServer } from "@loredex/http";

const [, , directory = "", ...numbers] = process.argv;
const [articles = 0, articleBytes = 0, documents = 0, documentBytes = 0] = numbers.map(Number);
const LIMITS = { embedder: "none", quotaCharacters: 1e12, rateCharactersPerMinute: 1e12 };
const LINE = "Ships sleep in the harbour until the tide is high.\n\n";

const engine = await Engine.open({ directory, embedders: {} });
const attacked = await engine.createBot({ name: "attacked", ...LIMITS });
const quiet = await engine.createBot({ name: "quiet", ...LIMITS });
await (await engine.bot(quiet.bot.id)).createArticle({ title: "Harbour", body: LINE });
const bot = await engine.bot(attacked.bot.id);
const textOf = (bytes: number): string => LINE.repeat(bytes / LINE.length);
for (let i = 0; i < articles; i++) await bot.createArticle({ title: `Article ${i}`, body: textOf(articleBytes) });
for (let i = 0; i < documents; i++) {
  await bot.importDocument({ resourceDocId: `d${i}`, type: "DOCUMENT", content: [{ md: textOf(documentBytes) }] });
}
await bot.whenSearchable();
const server = createApiServer(engine);
const { port } = await server.listen({ port: 0, host: "127.0.0.1" });
const say = (what: object): void => void process.stdout.write(`${JSON.stringify(what)}\n`);
const peakKilobytes = (): number => process.resourceUsage().maxRSS;
say({ port, attackedKey: attacked.key, quietKey: quiet.key, peakKilobytes: peakKilobytes() });
for await (const _line of createInterface(process.stdin)) say({ peakKilobytes: peakKilobytes() });
await server.close({ timeoutMs: 0 });
await engine.close();
