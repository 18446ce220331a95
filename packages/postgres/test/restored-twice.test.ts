import { Engine } from "@loredex/core";
import { openPostgres } from "@loredex/postgres";
import { describe, expect, it, onTestFinished } from "vitest";
import { postgresPart, serverOfFile, sql } from "./support/server.ts";

const OPTIONS = { embedders: {}, background: false } as const;

describe.skipIf(postgresPart.isMissing)(postgresPart.named("a bot that two nodes restore at the same time"), () => {
  const server = serverOfFile();

  it("is that of one of them, with what is written to it at once, and the other node is told so", async () => {
    const schema = server.newSchema();
    const open = async (): Promise<Engine> => {
      const storage = await openPostgres(server.url(), { schema, connections: 4 });
      const engine = await Engine.open({ ...OPTIONS, storage });
      onTestFinished(() => engine.close());
      return engine;
    };
    const nodes = [await open(), await open()];
    const memory = await Engine.open(OPTIONS);
    onTestFinished(() => memory.close());
    const { bot } = await memory.createBot({ name: "help" });
    await (await memory.bot(bot.id)).createArticle({ title: "kept", body: "text" });
    const backup: Uint8Array[] = [];
    for await (const piece of memory.backup(bot.id)) backup.push(piece.slice());
    for (let round = 0; round < 8; round += 1) {
      const restored = await Promise.allSettled(
        nodes.map(async (node, n) => {
          // Some nodes begin while the other one has its store already.
          await new Promise((settle) => setTimeout(settle, n * round * 5));
          await node.restore(arriving(backup));
          await (await node.bot(bot.id)).createArticle({ title: "written", body: "text" });
        }),
      );
      const refused = restored.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
      expect(refused).toMatchObject([{ code: "BOT_EXISTS" }]);
      for (const node of nodes) {
        await node.catchUp();
        const articles = await (await node.bot(bot.id)).listArticles();
        expect(articles.map(({ title }) => title).toSorted()).toEqual(["kept", "written"]);
      }
      for (const table of ["names", "heads"])
        expect(await sql(server.url(), `select 1 from ${schema}.${table}`)).toHaveLength(2);
      expect(await sql(server.url(), `select 1 from ${schema}.unnamed`)).toEqual([]);
      await nodes[round % 2]?.removeBot(bot.id);
      for (const node of nodes) await node.catchUp();
    }
  });
});

async function* arriving(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* pieces;
}
