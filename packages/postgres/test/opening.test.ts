import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migratePostgres, openPostgres, SCHEMA_VERSION } from "@loredex/postgres";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { PASSWORD, postgresPart, serverOfFile, sql } from "./support/server.ts";

describe.skipIf(postgresPart.isMissing)(postgresPart.named("opening PostgreSQL"), () => {
  const server = serverOfFile();

  it("makes the tables once, also if several nodes open an empty database at once", async () => {
    const schema = server.newSchema();
    const nodes = await Promise.all(
      Array.from({ length: 6 }, () => openPostgres(server.url(), { schema, connections: 1 })),
    );
    await nodes[0]?.create("bot");
    for (const node of nodes) expect(await node.list()).toEqual(["bot"]);
    await Promise.all(nodes.map((node) => node.close()));
    const versions = await sql(server.url(), `select version from ${schema}.versions`);
    expect(versions).toEqual(Array.from({ length: SCHEMA_VERSION }, (_, index) => ({ version: index + 1 })));
  });

  it("makes no tables without migrate, and says which command does", async () => {
    const schema = server.newSchema();
    const open = () => openPostgres(server.url(), { schema, migrate: false });
    await expect(open()).rejects.toMatchObject({
      code: "UNSUPPORTED_FORMAT",
      message: expect.stringMatching(/loredex store migrate/),
    });
    expect(await migratePostgres(server.url(), { schema })).toBe(SCHEMA_VERSION);
    await (await open()).close();
  });

  it("works with the version after its own, and refuses a newer one by name", async () => {
    const schema = server.newSchema();
    await migratePostgres(server.url(), { schema });
    await sql(server.url(), `insert into ${schema}.versions (version) values (${SCHEMA_VERSION + 1})`);
    await (await openPostgres(server.url(), { schema })).close();
    await sql(server.url(), `insert into ${schema}.versions (version) values (${SCHEMA_VERSION + 2})`);
    for (const migrate of [true, false]) {
      const error = { code: "UNSUPPORTED_FORMAT", message: expect.stringContaining(`version ${SCHEMA_VERSION + 2}`) };
      await expect(openPostgres(server.url(), { schema, migrate })).rejects.toMatchObject(error);
    }
  });

  it("works for a role that may only read and write rows, and names what another one lacks", async () => {
    const schema = server.newSchema();
    const role = `role_${schema}`;
    await migratePostgres(server.url(), { schema });
    await sql(server.url(), `create role ${role} login password 'rows'; grant usage on schema ${schema} to ${role}`);
    await sql(server.url(), `grant select, insert, update, delete on all tables in schema ${schema} to ${role}`);
    const url = new URL(server.url());
    url.username = role;
    url.password = "rows";
    const storage = await openPostgres(url.href, { schema });
    await storage.create("bot");
    await storage.requireAccess("bot");
    await storage.requireWritable();
    await sql(server.url(), `revoke insert on ${schema}.records from ${role}`);
    await expect(storage.requireAccess("bot")).rejects.toMatchObject({
      code: "NO_ACCESS",
      message: expect.stringMatching(/insert.*records/),
    });
    const store = await storage.open("bot");
    await store.recover({ snapshot: () => undefined, record: () => undefined });
    await expect(store.append(Buffer.from("x"))).rejects.toMatchObject({ code: "NO_ACCESS" });
    await store.close();
    await storage.close();
    await sql(server.url(), `drop owned by ${role}; drop role ${role}`);
  });

  it("counts a server that only reads as unreachable, until it writes again", async () => {
    const schema = server.newSchema();
    // A database of its own: others use that of the server, and a pooler refuses connections with `options`.
    await sql(server.url(), `create database ${schema}`);
    const url = new URL(server.url());
    url.pathname = schema;
    const storage = await openPostgres(url.href, { schema, connections: 2 });
    await storage.create("bot");
    const store = await storage.open("bot");
    await store.recover({ snapshot: () => undefined, record: () => undefined });
    const turn = async (how: string) => {
      await sql(server.url(), `alter database ${schema} set default_transaction_read_only = ${how}`);
      await sql(server.url(), `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${schema}'`);
    };
    await turn("on");
    await expect(store.append(Buffer.from("x"))).rejects.toMatchObject({ code: "UNREACHABLE" });
    await expect(store.shared?.follow(() => undefined)).rejects.toMatchObject({ code: "UNREACHABLE" });
    // A node that has sent no write learns it too: a standby answers with older heads.
    const reader = await openPostgres(url.href, { schema, connections: 1 });
    const read = await reader.open("bot");
    await read.recover({ snapshot: () => undefined, record: () => undefined });
    await expect(read.shared?.follow(() => undefined)).rejects.toMatchObject({ code: "UNREACHABLE" });
    await read.close();
    await reader.close();
    await turn("off");
    await expect.poll(() => storage.shared?.silentMs()).toBe(0);
    expect(await store.append(Buffer.from("x"))).toBe(1);
    await store.close();
    await storage.close();
  });

  it("takes the password of a file", async () => {
    const passwordFile = join(mkdtempSync(join(tmpdir(), "loredex-password-")), "password");
    writeFileSync(passwordFile, `${decodeURIComponent(new URL(server.url()).password)}\n`);
    const url = new URL(server.url());
    url.password = "";
    await (await openPostgres(url.href, { schema: server.newSchema(), passwordFile })).close();
    writeFileSync(passwordFile, "wrong");
    await expect(openPostgres(url.href, { passwordFile })).rejects.toMatchObject({ code: "UNREACHABLE" });
  });

  it("shows no password in any error", async () => {
    const secret = encodeURIComponent(PASSWORD);
    const here = new URL(server.url());
    const urls = [
      `postgres://postgres:${secret}@127.0.0.1:1/postgres`,
      `postgres://postgres:${secret}@nowhere.invalid/postgres`,
      `postgres://nobody:${secret}@${here.host}/postgres`,
      `postgres://postgres:${secret}@${here.host}/none`,
      `postgres://postgres:${secret}@${here.host}/postgres?sslmode=require`,
      `http://postgres:${secret}@${here.host}/postgres`,
      `postgres://postgres:${secret}@a:b:c/postgres`,
    ];
    for (const url of urls) {
      const error: unknown = await openPostgres(url, { timeoutMs: 1_000 }).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(Error);
      const shown = [error, ...causesOf(error)].map(
        (each) => `${String(each)} ${JSON.stringify(each)} ${each instanceof Error ? each.stack : ""}`,
      );
      for (const word of [secret, PASSWORD]) expect(shown.join("\n")).not.toContain(word);
    }
  });
});

function causesOf(error: unknown): unknown[] {
  return error instanceof Error && error.cause !== undefined ? [error.cause, ...causesOf(error.cause)] : [];
}

it("refuses a mistyped parameter of the address, which would be a connection without TLS", async () => {
  const open = openPostgres("postgres://user:secret@127.0.0.1:1/db?sslmod=require");
  await expect(open).rejects.toMatchObject({ code: "VALIDATION" });
  await expect(open).rejects.toThrow(/sslmod\. Known are: .*sslmode/);
  await expect(open).rejects.not.toThrow(/secret/);
});

it("refuses a port that is none, and does not wait for it", async () => {
  for (const port of ["99999", "0", "-1", "5432x", "54.5"]) {
    const open = openPostgres(`postgres://user:secret@127.0.0.1/db?port=${port}`);
    await expect(open).rejects.toMatchObject({
      code: "VALIDATION",
      message: expect.stringMatching(/port.* 1 to 65535/),
    });
    await expect(open).rejects.not.toThrow(/secret/);
  }
  vi.stubEnv("PGPORT", "5432x");
  onTestFinished(() => void vi.unstubAllEnvs());
  await expect(openPostgres("postgres://user@127.0.0.1/db")).rejects.toMatchObject({ code: "VALIDATION" });
});
