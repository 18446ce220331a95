import { describe, expect, it } from "vitest";
import { brokenRules } from "./answers.ts";
import type { BotClient } from "./client.ts";
import { sharedService } from "./service.ts";

const service = sharedService();

async function botWithRegistrations(): Promise<BotClient> {
  const bot = await service().bot();
  const core = await bot.core();
  await core.putAgent("Ada", true);
  await core.putAgent("Bob", false);
  await core.putChannel("web", true);
  await core.putChannel("fax", false);
  return bot;
}

const create = (bot: BotClient, strict: boolean | undefined, activeOn: readonly object[]) =>
  bot.create({ title: "Title", body: "b", activeOn, ...(strict === undefined ? {} : { strict }) });

describe("strict", () => {
  it("accepts registered, active agents and channels", async () => {
    const bot = await botWithRegistrations();
    const activeOn = [{ agent: "Ada", channel: "web" }, { channel: "web" }];
    const reply = await create(bot, true, activeOn);
    expect(reply.status, reply.text).toBe(200);
    expect(reply.json.data.activeOn).toEqual(activeOn);
  });

  it.each([
    [{ agent: "Ada", channel: "radio" }, ["activeOn.1.channel"]],
    [{ channel: "fax" }, ["activeOn.1.channel"]],
    [{ channel: "Web" }, ["activeOn.1.channel"]],
    [{ agent: "Eve", channel: "web" }, ["activeOn.1.agent"]],
    [{ agent: "Bob", channel: "web" }, ["activeOn.1.agent"]],
    [{ agent: "web", channel: "web" }, ["activeOn.1.agent"]],
    [{ agent: "Bob", channel: "fax" }, ["activeOn.1.agent", "activeOn.1.channel"]],
    [{ agent: "__proto__", channel: "constructor" }, ["activeOn.1.agent", "activeOn.1.channel"]],
  ])("refuses %j on the field that is not registered as active", async (entry, fields) => {
    const bot = await botWithRegistrations();
    const reply = await create(bot, true, [{ channel: "web" }, entry]);
    expect(
      brokenRules(reply)
        .map(([field]) => field)
        .sort(),
    ).toEqual(fields);
    expect((await bot.list()).json.data).toEqual([]);
  });

  it("needs nothing where nothing is named", async () => {
    const bot = await service().bot();
    expect((await create(bot, true, [])).status).toBe(200);
    expect((await bot.create({ title: "Title", body: "b", strict: true })).status).toBe(200);
  });

  it("is off unless it is asked for: unknown names are kept as they are", async () => {
    const bot = await botWithRegistrations();
    const activeOn = [
      { agent: "Eve", channel: "radio" },
      { agent: "Bob", channel: "fax" },
    ];
    for (const strict of [undefined, false]) {
      const reply = await create(bot, strict, activeOn);
      expect(reply.status, reply.text).toBe(200);
      expect(reply.json.data.activeOn).toEqual(activeOn);
    }
  });

  it("follows what the operator registers, switches off and takes out", async () => {
    const bot = await service().bot();
    const core = await bot.core();
    const status = async () => (await create(bot, true, [{ agent: "Zoe", channel: "chat" }])).status;
    expect(await status()).toBe(400);
    await core.putAgent("Zoe", true);
    await core.putChannel("chat", true);
    expect(await status()).toBe(200);
    await core.putAgent("Zoe", false);
    expect(await status()).toBe(400);
    await core.putAgent("Zoe", true);
    expect(await status()).toBe(200);
    await core.removeChannel("chat");
    expect(await status()).toBe(400);
  });

  it("knows the registrations of its own bot only", async () => {
    await botWithRegistrations();
    const other = await service().bot();
    expect((await create(other, true, [{ agent: "Ada", channel: "web" }])).status).toBe(400);
  });
});

describe("an agent named in activeOn", () => {
  it("gets the article attached, also when it is registered later", async () => {
    const bot = await service().bot();
    const core = await bot.core();
    const titles = async (agent: string) => (await core.articlesOfAgent(agent)).map(({ title }) => title);
    const { id } = await bot.add({
      title: "For Ada",
      body: "b",
      activeOn: [{ channel: "web" }, { agent: "Ada", channel: "app" }],
    });
    await bot.add({ title: "For all", body: "b", activeOn: [{ channel: "web" }] });
    await bot.add({
      title: "For Bob",
      body: "b",
      activeOn: [
        { agent: "Bob", channel: "web" },
        { agent: "Bob", channel: "app" },
      ],
    });
    expect(await titles("Ada")).toEqual(["For Ada"]);
    await core.putAgent("Ada", true);
    expect(await titles("Ada")).toEqual(["For Ada"]);
    expect(await titles("Bob")).toEqual(["For Bob"]);
    expect(await titles("Nobody")).toEqual([]);
    await bot.update(id, { activeOn: [{ agent: "Eve", channel: "web" }] });
    expect(await titles("Ada")).toEqual([]);
    expect(await titles("Eve")).toEqual(["For Ada"]);
    await bot.remove(id);
    expect(await titles("Eve")).toEqual([]);
  });

  it("changes nothing about a search", async () => {
    const bot = await service().bot();
    const same = { title: "Same title", body: "Umbrellas are at the door." };
    await bot.publish(same);
    await bot.publish({ ...same, activeOn: [{ agent: "Ada", channel: "web" }] });
    const found = await bot.find("umbrellas");
    expect(found).toHaveLength(2);
    expect(found[0]?.bestMatchScore).toBe(found[1]?.bestMatchScore);
  });
});
