import { createServer } from "node:http";
import { Engine, openEnglishStatic } from "@loredex/core";
import { createApiServer } from "@loredex/http";
import { openEnglishEncoder } from "../bots/english-encoder.ts";
import { unlimitedBot, whenGraphIsReady } from "../bots/unlimited-bot.ts";
import { documentsIn } from "../corpora/corpus-files.ts";
import { moveChildrenTo } from "../measuring/cores.ts";
import { RESULTS } from "../peers/competitors.ts";

/**
 * `http-server.ts WHAT DIRECTORY [BYTES]`: a server in a process of its own. WHAT is one of
 *
 * - `Loredex`: two bots that know a corpus, of best and of fast quality,
 * - `static`: one bot with the static embedder, of fast quality,
 * - `echo`: parses a body and writes it again, with BYTES more characters.
 *
 * Prints its port and its bots' keys by their quality as JSON, and exits when stdin closes.
 */

const [, , what = "echo", directory = "", bytes = "0"] = process.argv;
const IS_STATIC = what === "static";
const QUALITIES = IS_STATIC ? (["fast"] as const) : (["fast", "best"] as const);
const EMBEDDER = IS_STATIC ? "static" : "minilm";
const HOST = "127.0.0.1";
/** Where clients are too, which wait for answers: the encoder reads while the server does nothing for that question. */
const CORE_OF_ENCODER = 1;

process.stdin.on("end", () => process.exit()).resume();
process.stdout.write(`${JSON.stringify(await (what === "echo" ? echo() : loredex()))}\n`);

async function echo(): Promise<object> {
  const filling = bytes === "0" ? {} : { filling: "x".repeat(Number(bytes)) };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = JSON.stringify({ ...JSON.parse(Buffer.concat(chunks).toString()), ...filling });
      response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(body) });
      response.end(body);
    });
  });
  await new Promise<void>((ready) => server.listen(0, HOST, ready));
  const address = server.address();
  return { port: typeof address === "object" ? address?.port : undefined, keys: {} };
}

async function loredex(): Promise<object> {
  const minilm = { languages: ["en"], open: openEnglishEncoder, static: openEnglishStatic };
  const engine = await Engine.open(IS_STATIC ? {} : { embedders: { minilm } });
  const keys: Record<string, string> = {};
  for (const quality of QUALITIES) {
    const { bot, key } = await unlimitedBot(engine, quality, EMBEDDER);
    keys[quality] = key;
    await engine.updateBot(bot.id, { quality });
    for await (const document of documentsIn(directory)) await bot.importDocument(document);
    await whenGraphIsReady(bot);
    await bot.search("what is it about", { topK: RESULTS });
  }
  moveChildrenTo(CORE_OF_ENCODER);
  const { port } = await createApiServer(engine).listen({ port: 0, host: HOST });
  return { port, keys };
}
