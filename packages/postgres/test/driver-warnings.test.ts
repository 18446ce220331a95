import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { examinePostgres } from "@loredex/postgres";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { postgresPart, serverOfFile } from "./support/server.ts";

describe.skipIf(postgresPart.isMissing)(postgresPart.named("the driver's warnings"), () => {
  const server = serverOfFile();

  beforeEach(() => {
    vi.stubEnv("PGPASSWORD", undefined);
  });
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  /** Warnings that the process gets from now on. */
  function warnings(): string[] {
    const told: string[] = [];
    const tell = ({ message }: Error): void => void told.push(message);
    process.on("warning", tell);
    onTestFinished(() => void process.off("warning", tell));
    return told;
  }

  /** The address without its password, and the entry of a password file for it. */
  function withoutPassword(): { readonly url: URL; readonly entry: string } {
    const url = new URL(server.url());
    const password = decodeURIComponent(url.password).replaceAll(/[\\:]/g, "\\$&");
    url.password = "";
    return { url, entry: `*:${url.port || 5432}:*:${decodeURIComponent(url.username)}:${password}\n` };
  }

  it("there is none where the password is in the file at PGPASSFILE", async () => {
    const file = join(mkdtempSync(join(tmpdir(), "loredex-pgpass-")), "pgpass");
    const { url, entry } = withoutPassword();
    writeFileSync(file, `none.example:*:*:*:other\n${entry}`, { mode: 0o600 });
    vi.stubEnv("PGPASSFILE", file);
    const told = warnings();
    expect((await examinePostgres(url.href)).versionNumber).toBeGreaterThan(0);
    writeFileSync(file, "none.example:*:*:*:other\n");
    await expect(examinePostgres(url.href)).rejects.toThrow(/asks for a password.*PGPASSFILE/);
    expect(told).toEqual([]);
  });

  it.each(["prefer", "require", "verify-full", "no-verify"])("there is none with sslmode=%s", async (mode) => {
    const told = warnings();
    const url = new URL(server.url());
    url.searchParams.set("sslmode", mode);
    await examinePostgres(url.href).catch(() => undefined);
    vi.stubEnv("PGSSLMODE", mode);
    await examinePostgres(server.url()).catch(() => undefined);
    expect(told).toEqual([]);
  });
});
