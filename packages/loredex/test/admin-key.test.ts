import { Engine } from "@loredex/core";
import { expect, it } from "vitest";
import { run } from "./support/run.ts";
import { temporaryDirectory } from "./support/temporary-directory.ts";

it("admin keys are made, listed without their secrets, rotated and revoked by their names", async () => {
  const directory = await temporaryDirectory();
  const engine = await Engine.open({ directory, embedders: {} });
  const { bot } = await engine.createBot({ name: "acme" });
  await engine.createBot({ name: "other" });
  await engine.close();
  const at = (...words: string[]) => run(...words, "--data", directory);
  const json = async (...words: string[]) => JSON.parse((await at(...words, "--json")).out);

  expect((await at("admin-key", "list")).err).toContain("admin-key create");
  expect((await at("changes")).err).toContain("Nothing was changed");
  const { key } = await json("admin-key", "create", "anna");
  expect(key).toMatch(/^lore_/);
  expect((await at("admin-key", "create", "editors", "--bot", "acme", "--bot", "other", "--read")).out).toMatch(
    /^The admin key editors, which is shown only now:\n\n {2}lore_\S+\n$/,
  );
  expect(await json("admin-key", "list")).toEqual([
    { name: "anna", scope: "write", createdAt: expect.any(String) },
    { name: "editors", scope: "read", bots: [bot.id, expect.any(String)], createdAt: expect.any(String) },
  ]);
  const table = (await at("admin-key", "list")).out;
  expect(table).not.toContain("lore_");
  expect(table.split("\n")[1]).toMatch(/^anna +write +all +\d{4}-/);
  expect(table.split("\n")[2]).toMatch(/^editors +read +acme, other +\d{4}-/);

  const renewed = await json("admin-key", "rotate", "anna");
  expect(await json("admin-key", "revoke", "editors")).toEqual({ revoked: "editors" });
  const changes = await json("changes");
  expect(changes).toHaveLength(4);
  expect(changes[0]).toEqual({
    ...{ at: expect.any(String), by: "command line", action: "admin key revoked", target: "editors" },
  });
  expect((await at("changes", "--limit", "1")).out.split("\n")[1]).toMatch(/command line +admin key revoked +editors$/);

  const opened = await Engine.open({ directory, embedders: {} });
  expect(await opened.administration.authenticate(key)).toBeUndefined();
  expect(await opened.administration.authenticate(renewed.key)).toMatchObject({ name: "anna" });
  await opened.close();

  expect(await at("admin-key", "rotate", "editors")).toMatchObject({
    code: 1,
    err: expect.stringContaining("no admin"),
  });
  expect(await at("admin-key", "create", "bea", "--bot", "acne")).toMatchObject({ code: 1 });
  expect(await at("admin-key", "create", " bea")).toMatchObject({ code: 2 });
  for (const wrong of [["--bot"], ["--write"]]) expect((await at("admin-key", "create", "bea", ...wrong)).code).toBe(2);
});
