import { expect, it } from "vitest";
import { Engine } from "../../src/engine.ts";
import { copyStores } from "../../src/index.ts";
import { SimulatedDatabase } from "../../testing/simulated-database.ts";
import { codeOf, openNodes } from "../nodes/nodes.ts";
import { aDatabase, aDirectory } from "../support/places.ts";
import { TestClock } from "../support/test-clock.ts";

/** Administration on several nodes. */

it("a key and a session of one node open on another one at once, and end there within a second", async () => {
  const clock = new TestClock();
  const { nodes } = await openNodes({ clock });
  const [a, b, c] = nodes.map(({ administration }) => administration);
  if (a === undefined || b === undefined || c === undefined) return expect.fail("three nodes");
  expect(await b.listKeys()).toEqual([]);
  const key = await a.addKey("anna");
  expect(await b.authenticate(key)).toMatchObject({ name: "anna" });
  const { token, csrfToken } = await b.openSession("anna");
  expect(await c.session(token)).toMatchObject({ csrfToken, identity: { name: "anna" } });
  clock.advance(1_000);
  const rotated = await c.rotateKey("anna");
  clock.advance(1_000);
  for (const node of [a, b, c]) {
    expect(await node.session(token)).toBeUndefined();
    expect(await node.authenticate(key)).toBeUndefined();
    expect(await node.authenticate(rotated)).toMatchObject({ name: "anna" });
  }
  await a.revokeKey("anna");
  clock.advance(1_000);
  expect(await b.authenticate(rotated)).toBeUndefined();
  await b.noteChange({ by: "anna", action: "bot created", target: "shop" });
  expect((await c.changes()).changes).toMatchObject([{ by: "anna", target: "shop" }]);
});

it("nodes that make the first key at the same time both succeed, and one name is given once", async () => {
  const { nodes } = await openNodes();
  const keys = await Promise.all(nodes.map(({ administration }, number) => administration.addKey(`key ${number}`)));
  for (const { administration } of nodes) {
    for (const [number, key] of keys.entries())
      expect(await administration.authenticate(key)).toMatchObject({ name: `key ${number}` });
    expect((await administration.listKeys()).map(({ name }) => name).sort()).toEqual(["key 0", "key 1", "key 2"]);
  }
  const same = await Promise.all(nodes.map(({ administration }) => codeOf(administration.addKey("anna"))));
  expect(same.sort()).toEqual(["KEY_EXISTS", "KEY_EXISTS", undefined]);
});

it("a node that finds no store while another one makes its first key decides again", async () => {
  const { nodes, database } = await openNodes();
  const late = database.open();
  const create = late.create.bind(late);
  late.create = async (...given) => {
    await nodes[0].administration.addKey("anna");
    return create(...given);
  };
  const engine = await Engine.open({ storage: late, embedders: {} });
  expect(await codeOf(engine.administration.addKey("anna"))).toBe("KEY_EXISTS");
  expect(await engine.administration.listKeys()).toHaveLength(1);
  await engine.close();
});

it("failed sign-ins count for all nodes together", async () => {
  const clock = new TestClock();
  const { nodes } = await openNodes({ clock });
  await nodes[0].administration.addKey("anna");
  let made = 0;
  for (let tries = 0; tries < 24; tries += 1) {
    const { administration } = nodes[tries % 3] ?? nodes[0];
    const attempt = async () => {
      made += 1;
      return undefined;
    };
    await administration.signIn("192.0.2.1", attempt);
    clock.advance(600);
  }
  expect(made).toBe(10);
});

it("while the database does not answer, known keys and sessions are accepted for a while", async () => {
  const clock = new TestClock();
  const { nodes, database } = await openNodes({ clock, staleMaxMs: 10_000 });
  const { administration } = nodes[0];
  const key = await administration.addKey("anna");
  const { token } = await administration.openSession("anna");
  database.cut();
  clock.advance(9_000);
  expect(await administration.authenticate(key)).toMatchObject({ name: "anna" });
  expect(await administration.session(token)).toBeDefined();
  expect(await codeOf(administration.rotateKey("anna"))).toBe("UNREACHABLE");
  clock.advance(2_000);
  expect(await codeOf(administration.authenticate(key))).toBe("UNREACHABLE");
  // Another node has read nothing yet.
  expect(await codeOf(nodes[1].administration.session(token))).toBe("UNREACHABLE");
  database.mend();
  expect(await administration.session(token)).toBeDefined();
});

it("nothing asks the database as long as nothing is administered", async () => {
  const database = new SimulatedDatabase();
  const storage = database.open();
  const asked: string[] = [];
  for (const call of ["exists", "open"] as const) {
    const made = storage[call].bind(storage);
    Reflect.set(storage, call, (name: string) => {
      asked.push(name);
      return made(name);
    });
  }
  const engine = await Engine.open({ storage, embedders: {} });
  await (await engine.bot((await engine.createBot({ name: "shop" })).bot.id)).search("x");
  await engine.close();
  expect(asked).not.toContain("admin");
});

it.each([
  ["a directory", "a database"],
  ["a database", "a directory"],
])("a copy from %s to %s has the admin keys, the sessions and the audit log", async (from, to) => {
  const place = (kind: string) => (kind === "a database" ? aDatabase() : aDirectory());
  const [source, target] = [place(from), place(to)];
  const engine = await Engine.open({ storage: await source(), embedders: {} });
  await engine.createBot({ name: "shop" });
  const key = await engine.administration.addKey("anna", { bots: ["shop"] });
  const { token } = await engine.administration.openSession("anna");
  await engine.administration.noteChange({ by: "anna", action: "bot created" });
  await engine.close();
  for (const botsBefore of [0, 1]) {
    const [a, b] = [await source(), await target()];
    expect(await copyStores(a, b)).toMatchObject({ bots: 1, botsBefore });
    await a.close();
    await b.close();
  }
  const copy = await Engine.open({ storage: await target(), embedders: {} });
  expect(await copy.administration.authenticate(key)).toMatchObject({ name: "anna" });
  expect(await copy.administration.session(token)).toBeDefined();
  expect((await copy.administration.changes()).changes).toHaveLength(1);
  await copy.close();
});
