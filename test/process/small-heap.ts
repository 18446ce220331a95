/** A server whose heap its operator has made small: what it is sent must not end it. Tells its address and a key, and runs until it is ended. */

import { Engine } from "@loredex/core";
import { createApiServer } from "@loredex/http";

const [directory = ""] = process.argv.slice(2);
const PLENTY = 1_000_000_000;
const engine = await Engine.open({ directory, embedders: {} });
const limits = {
  quotaCharacters: PLENTY,
  rateCharactersPerMinute: PLENTY,
  quotaBytes: 100 * PLENTY,
  rateBytesPerMinute: 100 * PLENTY,
};
const { key } = await engine.createBot({ name: "flooded", ...limits });
const other = await engine.createBot({ name: "quiet", ...limits });
const { url } = await createApiServer(engine).listen({ port: 0, host: "127.0.0.1" });
process.stdout.write(`${JSON.stringify({ url, key, quietKey: other.key })}\n`);
