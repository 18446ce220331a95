import { once } from "node:events";
import { connect } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { article, FakeEngine, KEY } from "./support/fake-engine.ts";
import { RawClient, wire } from "./support/raw-client.ts";
import { serve } from "./support/server.ts";

const KNOWLEDGE = "/api/v1/knowledge";

it("strangers who do not read, with keys that nobody has, are cut off before a reader with a key", async () => {
  const engine = new FakeEngine();
  engine.bot1.articles = Array.from({ length: 200 }, () => article({ body: "x".repeat(100_000) }));
  const { port } = await serve(engine, { unsentBytesMax: 1_048_576 });
  const reader = new RawClient(port);
  reader.send(wire("GET", KNOWLEDGE, { "x-api-key": KEY, connection: "close" }));
  await reader.until("200 OK");
  reader.socket.pause();
  const strangers = Array.from({ length: 30 }, async (_, i) => {
    const client = connect({ port, host: "127.0.0.1" });
    onTestFinished(() => void client.destroy());
    client.on("error", () => undefined);
    client.write(wire("GET", "/docs/swagger-ui-bundle.js", { "x-api-key": `made-up-${i}` }).repeat(12));
    // Whoever is cut off before anything has come is heard of too.
    await Promise.race([once(client, "data"), new Promise((resolve) => client.once("close", resolve))]);
    client.pause();
  });
  await Promise.all(strangers);
  reader.socket.resume();
  expect((await reader.ended()).length).toBeGreaterThan(200 * 100_000);
});
