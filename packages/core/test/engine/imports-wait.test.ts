import { setImmediate } from "node:timers/promises";
import { expect, it, vi } from "vitest";
import { openOn, simulatedDisk } from "../storage/kit.ts";
import { bareBot } from "../support/bare-bot.ts";

const MANY = 100_000_000;

it("imports wait for a snapshot that is long in coming, so that the log does not grow without end; articles do not, and what is written of the same document comes after it", async () => {
  const storage = await openOn(simulatedDisk());
  await storage.create("bot");
  const store = await storage.open("bot");
  const maxima = { bytes: MANY, documents: MANY, registrations: MANY, logBytes: 300_000 };
  const bot = await bareBot(store, { maxima });
  const write = store.writeSnapshot.bind(store);
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const writing = vi.spyOn(store, "writeSnapshot").mockImplementation(async (...contents) => {
    await opened;
    return write(...contents);
  });
  let imported = 0;
  const importer = async (each: number): Promise<void> => {
    for (let i = 0; i < 40; i++, imported++) {
      const md = `${i} ${"word ".repeat(2_000)}`;
      await bot.documents.import({ resourceDocId: `d${each}-${i % 4}`, type: "DOCUMENT", content: [{ md }] });
    }
  };
  const importing = Promise.all([1, 2, 3].map(importer));
  await vi.waitFor(() => expect(writing).toHaveBeenCalled());
  for (let i = 0; i < 1_000; i++) await setImmediate();
  expect(store.sizes().logBytesSinceSnapshot).toBeGreaterThan(300_000);
  expect(store.sizes().logBytesSinceSnapshot).toBeLessThan(340_000);
  await bot.articles.create({ title: "title", body: "is not held back" });
  const brought = bot.documents.import({ resourceDocId: "late", type: "DOCUMENT", content: [{ md: "late" }] });
  const removed = bot.documents.remove("late");
  open();
  expect(await brought).toBe("added");
  await removed;
  expect(bot.documents.get("late")).toBeUndefined();
  await importing;
  expect(imported).toBe(120);
  await bot.close();
});
