import { request as httpsRequest } from "node:https";
import { connect as netConnect } from "node:net";
import nodeTls, { type ConnectionOptions, connect, type TLSSocket } from "node:tls";
import { expect, it, onTestFinished } from "vitest";
import type { Certificate } from "../src/certificate.ts";
import { createApiServer } from "../src/server.ts";
import { makeCertificate } from "./support/certificate.ts";
import { eventually } from "./support/eventually.ts";
import { FakeEngine, KEY } from "./support/fake-engine.ts";
import { rawAnswer } from "./support/raw-answer.ts";
import { wire } from "./support/raw-client.ts";
import { serve } from "./support/server.ts";

const KNOWLEDGE = "/api/v1/knowledge";
const NAME = "kb.example.com";

/** A connection that TLS was agreed on. */
function agreed(port: number, options: ConnectionOptions): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", ...options }, () => resolve(socket)).on("error", reject);
    onTestFinished(() => void socket.destroy());
  });
}

/** All that comes over a connection until it ends. */
async function sent(socket: TLSSocket, bytes: string): Promise<string> {
  socket.write(bytes);
  let received = "";
  for await (const piece of socket) received += String(piece);
  return received;
}

const trusting = ({ cert }: Certificate, servername = NAME): ConnectionOptions => ({ ca: cert, servername });
const numberOf = (socket: TLSSocket): string => socket.getPeerCertificate().fingerprint256;

it("answers over TLS, and has browsers that came by name come by TLS from then on", async () => {
  const tls = makeCertificate({ names: [NAME] });
  const { url, port } = await serve(new FakeEngine(), { tls });
  expect(url).toBe(`https://127.0.0.1:${port}`);
  const asked = wire("GET", KNOWLEDGE, { "x-api-key": KEY, connection: "close" });
  const answer = rawAnswer(await sent(await agreed(port, trusting(tls)), asked));
  expect(answer.status).toBe(200);
  expect(answer.headers.get("strict-transport-security")).toBe("max-age=31536000");
  const refused = rawAnswer(await sent(await agreed(port, trusting(tls)), "NO HTTP\r\n\r\n"));
  expect(refused.status).toBe(400);
  expect(refused.headers.get("strict-transport-security")).toBe("max-age=31536000");
});

it.each(["localhost", "a.localhost"])(
  "says no such thing to %s, which other servers of that machine have too",
  async (name) => {
    const tls = makeCertificate({ names: [name] });
    const { port } = await serve(new FakeEngine(), { tls });
    const socket = await agreed(port, trusting(tls, name));
    const answer = rawAnswer(await sent(socket, wire("GET", "/health", { connection: "close" })));
    expect([answer.status, answer.headers.has("strict-transport-security")]).toEqual([200, false]);
  },
);

it("takes requests in line on one connection, as it does without TLS", async () => {
  const tls = makeCertificate({ names: [NAME] });
  const { port } = await serve(new FakeEngine(), { tls, connectionRequestsMax: 3 });
  const socket = await agreed(port, trusting(tls));
  const all = await sent(socket, wire("GET", KNOWLEDGE, { "x-api-key": KEY }).repeat(4));
  expect(all.match(/HTTP\/1\.1 200 /g)).toHaveLength(3);
});

it("speaks no TLS before 1.2, whatever the process allows", async () => {
  const { DEFAULT_MIN_VERSION, DEFAULT_CIPHERS } = nodeTls;
  Object.assign(nodeTls, { DEFAULT_MIN_VERSION: "TLSv1", DEFAULT_CIPHERS: "DEFAULT@SECLEVEL=0" });
  onTestFinished(() => void Object.assign(nodeTls, { DEFAULT_MIN_VERSION, DEFAULT_CIPHERS }));
  const tls = makeCertificate({ names: [NAME] });
  const { port, log } = await serve(new FakeEngine(), { tls });
  const old = { minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: "DEFAULT@SECLEVEL=0" } as const;
  await expect(agreed(port, { ...trusting(tls), ...old })).rejects.toThrow();
  const modern = await agreed(port, { ...trusting(tls), maxVersion: "TLSv1.2" });
  expect(modern.getProtocol()).toBe("TLSv1.2");
  await eventually(() => log.map(({ event }) => event)).toEqual(["handshakeFailed"]);
});

it("closes who speaks plain HTTP, and keeps no place for him", async () => {
  const tls = makeCertificate({ names: [NAME] });
  const { port, log } = await serve(new FakeEngine(), { tls, connectionsMax: 1 });
  const ended = new Promise((resolve) => {
    netConnect({ port, host: "127.0.0.1" }).on("close", resolve).on("error", resolve).end(wire("GET", "/health"));
  });
  await ended;
  await eventually(() => log).toMatchObject([{ level: "debug", reason: "ERR_SSL_HTTP_REQUEST" }]);
  // With one place alone, a busy connection that is gone would keep it.
  const socket = await agreed(port, trusting(tls));
  expect(await sent(socket, wire("GET", "/health", { connection: "close" }))).toContain("HTTP/1.1 200 ");
});

it("counts a connection from its first moment: whoever agrees on nothing has to go for others", async () => {
  const tls = makeCertificate({ names: [NAME] });
  const { port } = await serve(new FakeEngine(), { tls, connectionsMax: 2 });
  const silent = [netConnect({ port, host: "127.0.0.1" }), netConnect({ port, host: "127.0.0.1" })];
  const gone = silent.map((each) => new Promise((resolve) => each.on("close", resolve).on("error", resolve).resume()));
  await Promise.all(silent.map((each) => new Promise((resolve) => each.once("connect", resolve))));
  const socket = await agreed(port, trusting(tls));
  await Promise.race(gone);
  expect(await sent(socket, wire("GET", "/health", { connection: "close" }))).toContain("HTTP/1.1 200 ");
  for (const each of silent) each.destroy();
});

it("ends who takes too long to agree", async () => {
  const { port } = await serve(new FakeEngine(), { tls: makeCertificate(), timeouts: { headersMs: 20 } });
  await new Promise((resolve) =>
    netConnect({ port, host: "127.0.0.1" }).on("close", resolve).on("error", resolve).resume(),
  );
});

it("shows a new certificate to who comes after it, and lets others go on with theirs", async () => {
  const [one, other] = [makeCertificate({ names: [NAME] }), makeCertificate({ names: [NAME] })];
  const { server, port } = await serve(new FakeEngine(), { tls: one });
  const before = await agreed(port, trusting(one));
  const shownBefore = numberOf(before);
  server.useCertificate(other);
  const after = await agreed(port, trusting(other));
  const shownAfter = numberOf(after);
  expect(shownAfter).not.toBe(shownBefore);
  for (const socket of [before, after])
    expect(await sent(socket, wire("GET", "/health", { connection: "close" }))).toContain("HTTP/1.1 200 ");
  expect(() => server.useCertificate({ ...other, key: one.key })).toThrow("not that of the certificate");
  expect(numberOf(await agreed(port, trusting(other)))).toBe(shownAfter);
});

it("answers what it has begun when it closes, and has no connection then", async () => {
  const tls = makeCertificate({ names: [NAME] });
  const { server, port } = await serve(new FakeEngine(), { tls });
  const idle = await agreed(port, trusting(tls));
  const silent = netConnect({ port, host: "127.0.0.1" });
  await new Promise((resolve) => silent.once("connect", resolve));
  const gone = new Promise((resolve) => silent.on("close", resolve).on("error", resolve).resume());
  await server.close({ timeoutMs: 20 });
  await Promise.all([gone, idle.destroyed ? undefined : new Promise((resolve) => idle.on("close", resolve).resume())]);
});

it("is understood by node:https", async () => {
  const tls = makeCertificate();
  const { url } = await serve(new FakeEngine(), { tls });
  const status = await new Promise((resolve, reject) => {
    const path = `${url.replace("127.0.0.1", "localhost")}/ready`;
    httpsRequest(path, { ca: tls.cert }, (response) => resolve(response.resume().statusCode))
      .on("error", reject)
      .end();
  });
  expect(status).toBe(200);
});

const pair = makeCertificate();
const PASSPHRASED = "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAA==\n-----END ENCRYPTED PRIVATE KEY-----\n";

it.each([
  ["a key of another", { ...pair, key: makeCertificate().key }, "The key is not that of the certificate"],
  ["no certificate", { ...pair, cert: "certificate" }, "The certificate is none in PEM"],
  ["no key", { ...pair, key: pair.cert }, "The key is none in PEM that can be read"],
  ["a key with a passphrase", { ...pair, key: PASSPHRASED }, "It has a passphrase"],
])("says what is wrong with %s, before anything is opened", (_what, tls, message) => {
  expect(() => createApiServer(new FakeEngine(), { tls })).toThrow(message);
});

it("takes no certificate where it speaks no TLS", async () => {
  const { server } = await serve(new FakeEngine());
  expect(() => server.useCertificate(pair)).toThrow(RangeError);
});
