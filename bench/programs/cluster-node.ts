import { Engine } from "@loredex/core";
import { createApiServer } from "@loredex/http";
import { openPostgres } from "@loredex/postgres";

/** `cluster-node.ts URL ID`: a node with a bot open. Prints its port, and ends with its input. */

const [, , url = "", id = ""] = process.argv;

process.stdin.on("end", () => process.exit()).resume();
const engine = await Engine.open({ storage: await openPostgres(url) });
await (await engine.bot(id)).search("what is it about");
const { port } = await createApiServer(engine).listen({ port: 0, host: "127.0.0.1" });
process.stdout.write(`${port}\n`);
