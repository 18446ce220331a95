import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openStore } from "../../src/operator/open-store.ts";
import { serve } from "../../src/serve.ts";
import { startServer } from "../support/cli.ts";
import { newDatabases, postgresPart, sql } from "../support/database.ts";
import { type Outcome, run, runIn } from "../support/run.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { withoutRuntime } from "../support/without-runtime.ts";

const CHOICE = { connections: 4, timeoutMs: 2_000, migrate: true };

describe.skipIf(postgresPart.isMissing)(postgresPart.named("the command line on a database"), () => {
  const newDatabase = newDatabases();

  /** A database, and the command line on it. */
  async function database() {
    const url = await newDatabase();
    const at = (...argv: string[]): Promise<Outcome> => runIn({ LOREDEX_STORE: url }, ...argv);
    return { url, at };
  }

  async function serving(url: string) {
    const server = await serve({ storage: await openStore({ ...CHOICE, url }), port: 0, embedders: {} });
    onTestFinished(() => server.close());
    return server;
  }

  it("does all that it does on a directory, and needs no socket of a node that runs", async () => {
    withoutRuntime();
    const { url, at } = await database();
    const folder = await temporaryDirectory();
    const [faq, backup, golden] = [
      join(folder, "faq.jsonl"),
      join(folder, "acme.backup"),
      join(folder, "golden.jsonl"),
    ];
    await writeFile(
      faq,
      `${JSON.stringify({ resourceDocId: "q", type: "QNA", question: "Where is my parcel?", answer: "On the ferry." })}\n`,
    );
    await writeFile(golden, `${JSON.stringify({ question: "parcel", expected: [{ id: "q" }] })}\n`);
    await serving(url);
    const ok = async (...argv: string[]): Promise<string> => {
      const { code, out, err } = await at(...argv);
      expect({ argv, code, err: code === 0 ? "" : err }).toEqual({ argv, code: 0, err: "" });
      return out;
    };
    const key = (await ok("bot", "create", "acme", "--embedder", "none")).trim();
    expect(key).not.toBe("");
    await ok("import", "acme", faq, "--source", "faq");
    await ok("sync", "acme");
    expect(await ok("search", "acme", "parcel", "--json")).toContain("On the ferry.");
    await ok("explain", "acme", "parcel", "q");
    await ok("eval", "acme", golden);
    await ok("bot", "set", "acme", "--quality", "fast");
    await ok("bot", "show", "acme");
    expect(await ok("bot", "list")).toContain("acme");
    await ok("key", "add", "acme", "second");
    expect(await ok("key", "list", "acme")).toContain("second");
    await ok("admin-key", "create", "anna", "--bot", "acme");
    expect(await ok("admin-key", "list")).toContain("anna");
    await ok("agent", "add", "acme", "ann");
    await ok("source", "list", "acme");
    await ok("list", "acme");
    await ok("show", "acme", "q");
    await ok("status", "acme", "q", "inactive");
    await ok("export", "acme");
    await ok("backup", "acme", backup);
    await ok("restore", backup, "--as", "copy");
    expect(await ok("verify")).toContain("catalog");
    await ok("salvage", "acme", "--to", join(folder, "whole.jsonl"));
    expect((await at("purge", "acme")).err).toContain("VACUUM");
    await ok("remove", "acme", "q");
    await ok("bot", "remove", "copy", "--yes");
    expect(await ok("config")).not.toContain(new URL(url).password);
    const doctor = await at("doctor");
    for (const word of ["PostgreSQL 1", "round trip", "clock", "durability", "tables", "role"])
      expect(doctor.out).toContain(word);
  });

  it("serves a bot that another command makes, and the command sees what the node wrote", async () => {
    const { url, at } = await database();
    const server = await serving(url);
    const { out } = await at("bot", "create", "shop", "--embedder", "none", "--json");
    const { key }: { key: string } = JSON.parse(out);
    await server.engine.catchUp();
    const written = await fetch(`${server.url}/api/v1/knowledge`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ title: "Parcels", body: "A parcel comes by ferry." }),
    });
    expect([200, 201]).toContain(written.status);
    expect((await at("search", "shop", "ferry")).out).toContain("Parcels");
  });

  it("makes and revokes admin keys that a running node knows at once", async () => {
    const { url, at } = await database();
    const { administration } = (await serving(url)).engine;
    expect(await administration.listKeys()).toEqual([]);
    const { key }: { key: string } = JSON.parse((await at("admin-key", "create", "anna", "--json")).out);
    expect(await administration.authenticate(key)).toMatchObject({ name: "anna" });
    const { token } = await administration.openSession("anna");
    await at("admin-key", "revoke", "anna");
    await expect.poll(() => administration.session(token)).toBeUndefined();
    expect(await administration.authenticate(key)).toBeUndefined();
    expect((await administration.changes()).changes).toHaveLength(2);
  });

  it("copies to a database and back, and the answers are the same", async () => {
    const { url, at } = await database();
    const folder = await temporaryDirectory();
    const [first, back] = [join(folder, "data"), join(folder, "back")];
    const key = (await run("bot", "create", "acme", "--embedder", "none", "--data", first)).out;
    await mkdir(join(folder, "pages"));
    for (const name of ["ferry", "parcel", "harbour"])
      await writeFile(join(folder, "pages", `${name}.md`), `# ${name}\n\nThe ${name} and the lantern.\n`);
    await run("import", "acme", join(folder, "pages"), "--data", first);
    await run("admin-key", "create", "anna", "--data", first);
    const search = ["search", "acme", "the lantern of the ferry", "--json"];
    const before = (await run(...search, "--data", first)).out;
    expect(await run("copy", "--from", first, "--to", url)).toMatchObject({ code: 0 });
    expect((await at(...search)).out).toBe(before);
    expect(await run("copy", "--from", url, "--to", back, "--json")).toMatchObject({ code: 0 });
    expect((await run(...search, "--data", back)).out).toBe(before);
    expect(key).not.toBe("");
    expect((await at("admin-key", "list")).out).toContain("anna");
    expect((await run("admin-key", "list", "--data", back)).out).toContain("anna");
    const again = await run("copy", "--from", url, "--to", first);
    expect(again).toMatchObject({ code: 0, err: expect.stringContaining("1 bot is copied, 1 of them before") });
    const other = join(folder, "other");
    await run("bot", "create", "other", "--embedder", "none", "--data", other);
    expect(await run("copy", "--from", other, "--to", url)).toMatchObject({
      code: 1,
      err: expect.stringContaining("is not empty"),
    });
  });

  it("makes no tables with --no-migrate, and store migrate makes them", async () => {
    const { at } = await database();
    const refused = await at("bot", "list", "--no-migrate");
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining("loredex store migrate") });
    expect((await at("doctor", "--json")).out).toContain("There are no tables yet");
    expect(await at("store", "migrate", "--json")).toMatchObject({
      code: 0,
      out: expect.stringMatching(/"schemaVersion":\d/),
    });
    expect(await at("bot", "list", "--no-migrate")).toMatchObject({ code: 0 });
  });

  it("doctor tells of settings that can lose acknowledged writes, and of rights that are missing", async () => {
    withoutRuntime();
    const { url, at } = await database();
    await at("bot", "list");
    await sql(url, `alter database "${new URL(url).pathname.slice(1)}" set synchronous_commit = off`);
    const role = `limited_${Date.now()}`;
    await sql(
      url,
      `create role ${role} login password 'limited secret'; grant usage on schema loredex to ${role};
      grant select on all tables in schema loredex to ${role}`,
    );
    const limited = new URL(url);
    [limited.username, limited.password] = [role, encodeURIComponent("limited secret")];
    const { out } = await runIn({ LOREDEX_STORE: limited.href }, "doctor");
    expect(out).toContain("synchronous_commit is off");
    expect(out).toContain('insert on "loredex".records');
    expect(out).not.toContain("limited secret");
  });

  it("shows a password nowhere, and warns of one on the command line", async () => {
    const { url } = await database();
    const secret = decodeURIComponent(new URL(url).password);
    const title = process.title;
    onTestFinished(() => {
      process.title = title;
    });
    const told = await run("bot", "list", "--store", url);
    expect(told).toMatchObject({ code: 0, err: expect.stringContaining("LOREDEX_STORE") });
    const wrong = new URL(url);
    wrong.password = "another-secret";
    const refused = await run("bot", "list", "--store", wrong.href);
    expect(refused.code).toBe(1);
    const nowhere = new URL(url);
    nowhere.port = "1";
    const unreachable = await run("doctor", "--store", nowhere.href);
    for (const { out, err } of [told, refused, unreachable]) {
      for (const password of [secret, new URL(url).password, "another-secret"])
        expect(out + err).not.toContain(password);
    }
    expect(process.title).not.toContain(secret);
  });

  it("reads the password out of a file", async () => {
    const { url } = await database();
    const file = join(await temporaryDirectory(), "password");
    await writeFile(file, `${decodeURIComponent(new URL(url).password)}\n`);
    const bare = new URL(url);
    bare.password = "";
    expect(await run("bot", "list", "--store", bare.href, "--store-password-file", file)).toMatchObject({ code: 0 });
    const wrong = join(await temporaryDirectory(), "wrong");
    await writeFile(wrong, "another-secret");
    const { code, err } = await run("bot", "list", "--store", bare.href, "--store-password-file", wrong);
    expect([code, err.includes("another-secret")]).toEqual([1, false]);
  });

  it("serves as a process, whose arguments and log have no password, and ends when it is told to", async () => {
    const { url, at } = await database();
    const secrets = [new URL(url).password, decodeURIComponent(new URL(url).password)];
    const options = ["--embedders", "none", "--max-staleness", "100ms", "--stale-max", "30s"];
    const server = await startServer(url, {}, ["--drain", "0s", ...options]);
    expect((await fetch(`${server.url}/ready`)).status).toBe(200);
    const seen = process.platform === "linux" ? await readFile(`/proc/${server.pid}/cmdline`, "utf8") : "";
    for (const secret of secrets) expect(seen).not.toContain(secret);
    expect(await at("bot", "create", "beside", "--embedder", "none")).toMatchObject({ code: 0 });
    expect(await server.stop("SIGTERM")).toBe(0);
    expect(server.err()).toContain("LOREDEX_STORE");
    for (const secret of secrets) expect(server.err()).not.toContain(secret);
  });

  it("keeps copies on the disk of a node that serves", async () => {
    const { url, at } = await database();
    const folder = await temporaryDirectory();
    const made = await at("bot", "create", "acme", "--embedder", "none", "--json");
    const { key }: { key: string } = JSON.parse(made.out);
    await mkdir(join(folder, "pages"));
    await writeFile(join(folder, "pages", "long.md"), "The ferry and the lantern.\n\n".repeat(2_000));
    expect(await at("import", "acme", join(folder, "pages"))).toMatchObject({ code: 0 });
    const cache = join(folder, "copies");
    const server = await startServer(url, {}, ["--cache", cache, "--cache-bytes", "64m", "--embedders", "none"]);
    const answer = await fetch(`${server.url}/api/v1/knowledge`, { headers: { authorization: `Bearer ${key}` } });
    expect(answer.status).toBe(200);
    await expect.poll(() => readdir(cache).catch(() => [])).not.toEqual([]);
    await server.stop("SIGTERM");
  });
});
