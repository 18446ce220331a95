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

it.skipIf(postgresPart.isMissing)(
  postgresPart.named("counts names of any characters apart, also in a database that is not in UTF-8"),
  async () => {
    const schema = server.newSchema();
    // Another encoding takes the template that has none.
    await sql(
      server.url(),
      `create database ${schema} encoding 'LATIN1' template template0 lc_collate 'C' lc_ctype 'C'`,
    );
    const url = new URL(server.url());
    url.pathname = schema;
    const storage = await openPostgres(url.href, { schema, connections: 1 });
    onTestFinished(() => storage.close());
    for (const name of ["shop ключ", "shop \u{1f511}", "shop a\0b", "shop a\\0000b", "shop é", "shop e"]) {
      expect(await storage.shared?.admit(name, 1)).toBe(0);
      expect(await storage.shared?.admit(name, 1)).toBeGreaterThan(0);
    }
  },
);
