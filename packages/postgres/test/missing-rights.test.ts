import { migratePostgres, openPostgres } from "@loredex/postgres";
import { describe, expect, it } from "vitest";
import { postgresPart, serverOfFile, sql } from "./support/server.ts";

const PAGE: unknown = expect.stringContaining("docs/postgres.md, The role");
const MIGRATE: unknown = expect.stringContaining('"loredex store migrate"');

describe.skipIf(postgresPart.isMissing)(postgresPart.named("a start with tables or rights that are missing"), () => {
  const server = serverOfFile();

  /** The error of a node whose role has only what `rights` grants: `S` stands for the schema, `R` for the role. */
  async function refused(rights: string, { tables, migrate }: { tables: boolean; migrate: boolean }): Promise<unknown> {
    const schema = server.newSchema();
    const role = `role_${schema}`;
    await sql(server.url(), `create schema ${schema}; create role ${role} login password 'rows'`);
    if (tables) await migratePostgres(server.url(), { schema });
    if (rights !== "") await sql(server.url(), rights.replaceAll(/\bS\b/g, schema).replaceAll(/\bR\b/g, role));
    const url = new URL(server.url());
    url.username = role;
    url.password = "rows";
    try {
      const storage = await openPostgres(url.href, { schema, migrate });
      return await storage.requireAccess("catalog").finally(() => storage.close());
    } catch (error) {
      return error;
    } finally {
      await sql(server.url(), `drop owned by ${role}; drop role ${role}`);
    }
  }

  it.each([
    ["no right on the schema", "", false],
    ["no right on the schema of the tables", "", true],
    ["no right to make tables", "grant usage on schema S to R", false],
    ["no right to read the tables", "grant usage on schema S to R", true],
  ])("names both remedies: %s", async (_what, rights, tables) => {
    for (const migrate of [true, false]) {
      const error = await refused(rights, { tables, migrate });
      const code = !tables && !migrate && rights !== "" ? "UNSUPPORTED_FORMAT" : "NO_ACCESS";
      for (const message of [PAGE, MIGRATE]) expect(error).toMatchObject({ code, message });
    }
  });

  it("names them where the role may not make the schema", async () => {
    const role = `role_${server.newSchema()}`;
    await sql(server.url(), `create role ${role} login password 'rows'`);
    const url = new URL(server.url());
    url.username = role;
    url.password = "rows";
    const open = (migrate: boolean) => openPostgres(url.href, { schema: server.newSchema(), migrate });
    await expect(open(true)).rejects.toMatchObject({ code: "NO_ACCESS", message: PAGE });
    await expect(open(true)).rejects.toMatchObject({ message: MIGRATE });
    await expect(open(false)).rejects.toMatchObject({ code: "UNSUPPORTED_FORMAT", message: PAGE });
    await sql(server.url(), `drop role ${role}`);
  });

  it("names the page where a right on rows is missing", async () => {
    const rights = "grant usage on schema S to R; grant select on all tables in schema S to R";
    const error = await refused(rights, { tables: true, migrate: true });
    expect(error).toMatchObject({ code: "NO_ACCESS", message: PAGE });
  });
});
