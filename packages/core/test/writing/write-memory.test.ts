import { expect, it } from "vitest";
import { LoredexError } from "../../src/domain/errors.ts";
import { gate } from "../../src/runtime/gate.ts";
import type { WriteMemory } from "../../src/writing/commits.ts";
import { bareBot } from "../support/bare-bot.ts";
import { KeptStorage } from "../support/kept-storage.ts";

/** A bot whose writes are told to a memory budget of the test. */
async function botWithMemory() {
  const storage = new KeptStorage();
  await storage.create("bot");
  const told = { asked: [] as number[], inFlight: 0, taken: 0 };
  const memory: WriteMemory = {
    require: (growth) => void told.asked.push(growth),
    take: (bytes) => {
      told.inFlight += bytes;
      told.taken += bytes;
      return () => {
        told.inFlight -= bytes;
      };
    },
  };
  const bot = await bareBot(await storage.open("bot"), { memory: { of: () => memory }, background: false });
  return { storage, bot, told };
}

it("a write is in flight for the memory budget until it is durable or has failed", async () => {
  const { storage, bot, told } = await botWithMemory();
  const writing = gate();
  storage.gate = writing.passed;
  const written = bot.articles.create({ title: "Memory", body: "x".repeat(1_000) });
  await expect.poll(() => told.inFlight).toBeGreaterThan(1_000);
  writing.open();
  await written;
  expect(told.inFlight).toBe(0);
  const before = told.taken;
  storage.failNext = new LoredexError("DISK_FULL", "The disk is full.");
  await expect(bot.articles.create({ title: "Memory", body: "y" })).rejects.toMatchObject({ code: "DISK_FULL" });
  expect(told.taken).toBeGreaterThan(before);
  expect(told.inFlight).toBe(0);
  await bot.close();
});

it("what grows a bot is asked for by as much as it grows, and nothing else is", async () => {
  const { bot, told } = await botWithMemory();
  const { article } = await bot.articles.create({ title: "Memory", body: "x".repeat(1_000) });
  expect(told.asked).toHaveLength(1);
  expect(told.asked[0]).toBeGreaterThan(1_000);
  await bot.articles.update(article.id, { body: "x".repeat(1_500) });
  expect(told.asked.slice(1)).toEqual([500]);
  await bot.articles.update(article.id, { body: "x" });
  await bot.articles.delete(article.id);
  expect(told.asked).toHaveLength(2);
  await bot.close();
});
