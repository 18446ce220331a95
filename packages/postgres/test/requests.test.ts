import { openPostgres } from "@loredex/postgres";
import { expect, it, onTestFinished } from "vitest";
import { postgresPart, serverOfFile, sql } from "./support/server.ts";

const server = serverOfFile();

it.skipIf(postgresPart.isMissing)(
  postgresPart.named("each time of a request keeps its count, also while times leave the window"),
  async () => {
    const schema = server.newSchema();
    const storage = await openPostgres(server.url(), { schema, connections: 1 });
    onTestFinished(() => storage.close());
    const ask = (text: string) => sql(server.url(), text.replaceAll("S.", `${schema}.`));
    await storage.shared?.admit("busy", 1_000_000);
    // One of them leaves in each millisecond of the next seconds, and each statement takes some of these.
    const leaving = "select times[1] - 60000 + n from generate_series(1, 20000) as n";
    await ask(`update S.requests set times = array(${leaving}), counts = array_fill(1::bigint, array[20000])`);
    for (let tries = 0; tries < 20; tries += 1) {
      expect(await storage.shared?.admit("busy", 900)).toBeGreaterThan(0);
      expect(await storage.shared?.admit("busy", 1_000_000)).toBe(0);
      const kept = await ask("select cardinality(times) - cardinality(counts) as lacking from S.requests");
      expect(kept).toEqual([{ lacking: 0 }]);
    }
  },
);
