import { Engine } from "@loredex/core";
import { expect, it, onTestFinished } from "vitest";
import { convertCsv } from "../../../src/convert/tables/csv.ts";

it("a row is found by words of its header, however far below it stands, and is quoted without its neighbours", async () => {
  const towns = Array.from({ length: 6_000 }, (_, i) => `Town${i},${(i * 37) % 9_001},Mayor${i}`);
  const bytes = Buffer.from(`settlement,inhabitants,burgomaster\n${towns.join("\n")}\n`);
  const { page } = await convertCsv({ bytes, name: "towns.csv", kind: "csv" });
  const engine = await Engine.open({ embedders: {} });
  onTestFinished(() => engine.close());
  const { bot: made } = await engine.createBot({ name: "towns" });
  const bot = await engine.bot(made.id);
  await bot.importDocument({ resourceDocId: "towns", ...page });
  const rivers = Buffer.from(
    `settlement,river,bridges\n${towns.map((row) => row.replace("Mayor", "River")).join("\n")}\n`,
  );
  const other = await convertCsv({ bytes: rivers, name: "rivers.csv", kind: "csv" });
  await bot.importDocument({ resourceDocId: "rivers", ...other.page });
  await bot.whenSearchable();
  const [first] = await bot.search("burgomaster of Town5432");
  expect(first?.resourceDocId).toBe("towns");
  const line = 5_432 + 3;
  expect(first?.similarTextParts[0]).toMatchObject({
    start: line,
    stop: line,
    text: "| Town5432 | 2962 | Mayor5432 |",
  });
});
