import { chmodSync, copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { examinePostgres, openPostgres } from "@loredex/postgres";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { own, PASSWORD, postgresPart, type Server, startServer } from "./support/server.ts";

const FIXTURES = fileURLToPath(new URL("./fixtures/tls/", import.meta.url));
const [AUTHORITY, OTHER] = [join(FIXTURES, "authority.crt"), join(FIXTURES, "other-authority.crt")];
const UNKNOWN_AUTHORITY = /authority that signed its certificate is not known here.*sslrootcert=FILE/;
const OTHER_NAME = /its certificate is for DNS:localhost, and not for the host name of the address.*sslmode=verify-ca/;

afterEach(() => {
  vi.unstubAllEnvs();
});

describe.skipIf(postgresPart.isMissing)(postgresPart.named("TLS to PostgreSQL"), () => {
  let folder: string;
  let server: Server;
  let plain: Server;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "loredex-tls-"));
    chmodSync(folder, 0o755);
    const [key, certificate] = ["server.key", "server.crt"].map((name) => {
      const path = join(folder, name);
      copyFileSync(join(FIXTURES, name), path);
      chmodSync(path, 0o600);
      own(path);
      return path;
    });
    const access = join(folder, "hba");
    writeFileSync(access, "hostssl all all all scram-sha-256\nhost postgres postgres 127.0.0.1/32 scram-sha-256\n");
    own(access);
    const settings = ["ssl=on", `ssl_cert_file=${certificate}`, `ssl_key_file=${key}`, `hba_file=${access}`];
    [server, plain] = await Promise.all([startServer(settings), startServer()]);
  });

  afterAll(async () => {
    await Promise.all([server?.stop(), plain?.stop()]);
    rmSync(folder, { recursive: true, force: true });
  });

  /** What a connection comes to: `connected`, or its error, which never shows the password. */
  async function outcome(parameters: string, { host = "localhost", to = server, database = "postgres" } = {}) {
    const url = new URL(to.url);
    url.hostname = host;
    url.pathname = database;
    try {
      await examinePostgres(`${url.href}${parameters}`, { timeoutMs: 20_000 });
      return "connected";
    } catch (error) {
      const shown = `${String(error)} ${error instanceof Error ? error.stack : ""}`;
      for (const secret of [PASSWORD, encodeURIComponent(PASSWORD)]) expect(shown).not.toContain(secret);
      return error instanceof Error ? error.message : String(error);
    }
  }

  it("checks as much as the mode says", async () => {
    const byName = (parameters: string) => outcome(parameters);
    const byAddress = (parameters: string) => outcome(parameters, { host: "127.0.0.1" });
    expect(await byName(`?sslmode=verify-full&sslrootcert=${AUTHORITY}`)).toBe("connected");
    expect(await byName(`?sslmode=verify-full&sslrootcert=${OTHER}`)).toMatch(UNKNOWN_AUTHORITY);
    expect(await byName("?sslmode=verify-full")).toMatch(UNKNOWN_AUTHORITY);
    expect(await byAddress(`?sslmode=verify-full&sslrootcert=${AUTHORITY}`)).toMatch(OTHER_NAME);
    expect(await byAddress(`?sslrootcert=${AUTHORITY}`)).toMatch(OTHER_NAME);
    expect(await byAddress(`?sslmode=verify-ca&sslrootcert=${AUTHORITY}`)).toBe("connected");
    expect(await byAddress(`?sslmode=verify-ca&sslrootcert=${OTHER}`)).toMatch(UNKNOWN_AUTHORITY);
    expect(await byAddress("?sslmode=require")).toBe("connected");
    expect(await byName(`?sslmode=require&sslrootcert=${OTHER}`)).toMatch(UNKNOWN_AUTHORITY);
    for (const compatible of ["", "&uselibpqcompat=true"])
      expect(await byAddress(`?sslmode=no-verify&sslrootcert=${OTHER}${compatible}`)).toBe("connected");
  });

  it("takes from the variables what the address lacks", async () => {
    vi.stubEnv("PGSSLMODE", "verify-full");
    expect(await outcome("")).toMatch(UNKNOWN_AUTHORITY);
    vi.stubEnv("PGSSLROOTCERT", AUTHORITY);
    expect(await outcome("")).toBe("connected");
    expect(await outcome(`?sslrootcert=${OTHER}`)).toMatch(UNKNOWN_AUTHORITY);
    expect(await outcome("", { to: plain })).toMatch(/the server has no TLS/);
    expect(await outcome("?sslmode=disable", { to: plain })).toBe("connected");
    vi.stubEnv("PGSSLMODE", "require");
    expect(await outcome("", { host: "127.0.0.1" })).toBe("connected");
  });

  it("is demanded by one side alone: the error says what to do", async () => {
    for (const mode of ["prefer", "require", "verify-full"])
      expect(await outcome(`?sslmode=${mode}`, { to: plain })).toMatch(/the server has no TLS.*sslmode=disable/);
    const withoutTls = { host: "127.0.0.1", database: "template1" };
    expect(await outcome("", withoutTls)).toMatch(/no encryption.*add sslmode=verify-full/);
  });
});

it.each([
  ["?sslmode=verify_full", /sslmode is none of disable, prefer, require/],
  ["?sslmode=", /sslmode is none of disable, prefer, require/],
  ["?sslmode=allow", /sslmode is none of disable, prefer, require/],
  ["?sslmode=verify-full&sslmode=disable", /the parameter sslmode twice/],
  ["?sslmode=verify-ca", /verify-ca needs sslrootcert/],
  ["?sslmode=verify-full&sslrootcert=/none.crt", /sslrootcert cannot be read: \/none\.crt \(ENOENT\)/],
])("refuses %s, which would check less than was meant, before it connects", async (parameters, message) => {
  const open = openPostgres(`postgres://user:secret@127.0.0.1:1/db${parameters}`);
  await expect(open).rejects.toMatchObject({ code: "VALIDATION", message: expect.stringMatching(message) });
  await expect(open).rejects.not.toThrow(/secret/);
});

it("refuses a mistyped PGSSLMODE, which would be a connection without TLS", async () => {
  vi.stubEnv("PGSSLMODE", "verify_full");
  const refused = { code: "VALIDATION", message: expect.stringMatching(/PGSSLMODE is none of disable/) };
  await expect(openPostgres("postgres://user@127.0.0.1:1/db")).rejects.toMatchObject(refused);
});
