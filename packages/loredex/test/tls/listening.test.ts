import { chmod, readdir, rename, stat, writeFile } from "node:fs/promises";
import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { createServer } from "node:net";
import { join } from "node:path";
import type { LogEvent } from "@loredex/core";
import type { Certificate } from "@loredex/http";
import { expect, it } from "vitest";
import { makeCertificate } from "../../../http/test/support/certificate.ts";
import { eventually } from "../../../http/test/support/eventually.ts";
import { checkDataDirectory } from "../../src/doctor/data-directory.ts";
import { serve } from "../../src/index.ts";
import { startServer } from "../support/cli.ts";
import { run } from "../support/run.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

/** Where a certificate and its key lie. */
async function filesOf(folder: string, { cert, key }: Certificate) {
  const files = { certFile: join(folder, "cert.pem"), keyFile: join(folder, "key.pem") };
  await writeFile(files.certFile, cert);
  await writeFile(files.keyFile, key, { mode: 0o600 });
  return files;
}

/** The status of `/ready` for who trusts a certificate, or why there is none. */
function readiness(url: string, ca: string): Promise<unknown> {
  return new Promise((resolve) => {
    const { port } = new URL(url);
    const asked = { host: "localhost", family: 4, port, path: "/ready", ca, agent: false };
    httpsRequest(asked, (response) => resolve(response.resume().statusCode))
      .on("error", (error: NodeJS.ErrnoException) => resolve(error.code))
      .end();
  });
}

it("serves over TLS, and takes another certificate when it is asked to look", async () => {
  const folder = await temporaryDirectory();
  const [one, other] = [makeCertificate(), makeCertificate()];
  const tls = await filesOf(folder, one);
  const log: LogEvent[] = [];
  const server = await serve({ directory: join(folder, "data"), port: 0, tls, logger: (event) => log.push(event) });
  expect(server.url).toBe(`https://127.0.0.1:${server.port}`);
  expect(await readiness(server.url, one.cert)).toBe(200);
  await filesOf(folder, other);
  await server.readCertificateAgain();
  expect(await readiness(server.url, other.cert)).toBe(200);
  expect(await readiness(server.url, one.cert)).toBe("DEPTH_ZERO_SELF_SIGNED_CERT");
  await filesOf(folder, { ...one, key: other.key });
  await server.readCertificateAgain();
  expect(await readiness(server.url, other.cert)).toBe(200);
  const told = log.filter(({ event }) => event.startsWith("certificate")).map(({ event }) => event);
  // A certificate of an hour runs out soon.
  expect(told).toEqual(["certificateEnds", "certificateRenewed", "certificateEnds", "certificateAwaited"]);
  await server.close();
});

it("says what is wrong with a certificate before it makes a directory", async () => {
  const folder = await temporaryDirectory();
  const directory = join(folder, "data");
  const tls = await filesOf(folder, { ...makeCertificate(), key: makeCertificate().key });
  const asked = ["serve", "--port", "0", "--data", directory, "--tls-cert", tls.certFile, "--tls-key", tls.keyFile];
  const { code, err } = await run(...asked);
  expect([code, err]).toEqual([1, expect.stringContaining(`${tls.keyFile}: The key is not that of the certificate`)]);
  const missing = await run("serve", "--data", directory, "--tls-cert", "none.pem", "--tls-key", tls.keyFile);
  expect(missing.err).toContain("none.pem cannot be read: there is no such file");
  expect((await readdir(folder)).sort()).toEqual(["cert.pem", "key.pem"]);
});

it("reads the files again on SIGHUP, and is not ended by it", { timeout: 60_000 }, async () => {
  const folder = await temporaryDirectory();
  const [one, other] = [makeCertificate(), makeCertificate()];
  const { certFile, keyFile } = await filesOf(folder, one);
  const options = ["--drain", "0s", "--tls-cert", certFile, "--tls-key", keyFile];
  const server = await startServer(join(folder, "data"), {}, options);
  const url = /https:\S+/.exec(server.out())?.[0] ?? "";
  expect(await readiness(url, one.cert)).toBe(200);
  await filesOf(folder, other);
  process.kill(server.pid, "SIGHUP");
  await eventually(() => server.err()).toContain("certificateRenewed");
  expect(await readiness(url, other.cert)).toBe(200);
  expect(await server.stop("SIGTERM")).toBe(0);
});

it("serves on a socket in the file system, in the place of one that was left behind", async () => {
  const folder = await temporaryDirectory();
  const path = join(folder, "api.sock");
  const left = createServer();
  await new Promise<void>((resolve) => left.listen(`${path}-first`, resolve));
  await rename(`${path}-first`, path);
  await new Promise((resolve) => left.close(resolve));
  const server = await serve({ directory: join(folder, "data"), socket: { path, mode: 0o600 } });
  expect([server.url, server.port]).toEqual([`unix:${path}`, 0]);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  const status = await new Promise((resolve, reject) => {
    const asked = { socketPath: path, path: "/ready" };
    httpRequest(asked, (response) => resolve(response.resume().statusCode))
      .on("error", reject)
      .end();
  });
  expect(status).toBe(200);
  await expect(serve({ directory: join(folder, "other"), socket: { path } })).rejects.toThrow(
    "Another program listens",
  );
  await server.close();
  expect(await readdir(folder)).toEqual(["data"]);
});

it.each([
  [["--tls-cert", "a.pem"], "--tls-cert and --tls-key belong together"],
  [["--socket-mode", "660"], "give --socket too"],
  [["--socket", "a.sock", "--socket-mode", "rw"], 'must be a mode as for chmod, for example 660, not "rw"'],
  [["--socket", "a.sock", "--tls-cert", "a.pem", "--tls-key", "b.pem"], "contradict each other"],
  [["--socket", "a.sock", "--port", "1"], "stands instead of --host and --port"],
])("refuses %j", async (options, message) => {
  const { code, err } = await run("serve", ...options);
  expect([code, err]).toEqual([2, expect.stringContaining(message)]);
});

it("tells at its start, and by doctor, that others may write to the data directory", async () => {
  const directory = join(await temporaryDirectory(), "data");
  const log: LogEvent[] = [];
  await (await serve({ directory, port: 0, logger: (event) => log.push(event) })).close();
  expect(log.map(({ event }) => event)).not.toContain("directoryExposed");
  expect((await checkDataDirectory(directory)).map(({ name }) => name)).not.toContain("permissions");
  await chmod(directory, 0o777);
  await (await serve({ directory, port: 0, logger: (event) => log.push(event) })).close();
  const message = expect.stringContaining("every user of this machine may write to (mode 777)");
  expect(log).toContainEqual({ level: "warn", event: "directoryExposed", message });
  expect(await checkDataDirectory(directory)).toContainEqual({ name: "permissions", state: "note", message });
});
