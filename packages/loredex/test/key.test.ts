import { Engine } from "@loredex/core";
import { expect, it } from "vitest";
import { run } from "./support/run.ts";
import { temporaryDirectory } from "./support/temporary-directory.ts";

it("keys are added, listed without their secrets, rotated and revoked by their names", async () => {
  const directory = await temporaryDirectory();
  const engine = await Engine.open({ directory, embedders: {} });
  await engine.createBot({ name: "acme" });
  await engine.close();
  const at = (...words: string[]) => run(...words, "--data", directory);
  const json = async (...words: string[]) => JSON.parse((await at(...words, "--json")).out);

  const origins = ["https://shop.example.com", "https://www.example.com"];
  const said = ["--scope", "search", "--requests", "1_200", ...origins.flatMap((origin) => ["--origin", origin])];
  const { key } = await json("key", "add", "acme", "site", ...said);
  expect(key).toMatch(/^lore_/);
  expect((await at("key", "add", "acme", "sync")).out).toMatch(
    /^The key sync of acme, which is shown only now:\n\n {2}lore_\S+\n$/,
  );
  expect(await json("key", "list", "acme")).toEqual([
    { name: "default", scope: "all", origins: [] },
    { name: "site", scope: "search", requestsPerMinute: 1_200, origins },
    { name: "sync", scope: "all", origins: [] },
  ]);
  const table = (await at("key", "list", "acme")).out;
  expect(table.split("\n")[2]).toMatch(
    /^site +search +1,200 +https:\/\/shop\.example\.com https:\/\/www\.example\.com$/,
  );
  expect(table).not.toContain("lore_");

  const renewed = await json("key", "rotate", "acme", "site");
  expect(renewed.key).not.toBe(key);
  expect(await json("key", "revoke", "acme", "sync")).toEqual({ revoked: "sync" });
  expect((await at("key", "revoke", "acme")).err).toContain("key rotate");
  const opened = await Engine.open({ directory, embedders: {} });
  expect(opened.listKeys("acme").map(({ name }) => name)).toEqual(["site"]);
  expect(opened.authenticate(renewed.key)?.key.name).toBe("site");
  await opened.close();

  expect(await at("key", "rotate", "acme", "sync")).toMatchObject({ code: 1, err: expect.stringContaining("no key") });
  for (const wrong of [["--scope", "write"], ["--requests", "0"], ["--origin"]])
    expect((await at("key", "add", "acme", "other", ...wrong)).code).toBe(2);
  const badOrigin = await at("key", "add", "acme", "other", "--origin", "https://shop.example.com/");
  expect(badOrigin).toMatchObject({ code: 2, err: expect.stringContaining("write https://shop.example.com") });
  const wrongOrigins = await at("key", "add", "acme", "other", "--origin", "https://a.b", "--origin", "shop");
  expect(wrongOrigins.err).toContain("--origin shop must be an origin as browsers send it");
  expect([badOrigin, wrongOrigins].map(({ err }) => err).join()).not.toContain("origins");
});
