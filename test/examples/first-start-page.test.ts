import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { DEMO } from "../../examples/first-start/demo-bot.mjs";
import { howToAsk, whereTheConsoleIs } from "../../examples/first-start/said.mjs";

const FOLDER = new URL("../../examples/first-start/", import.meta.url);

test("the page on the first start shows what it says, and writes down no number of pages", () => {
  const page = readFileSync(new URL("README.md", FOLDER), "utf8");
  const articles = readdirSync(new URL("articles", FOLDER)).length;
  const made = { key: "lore_0123456789abcdef_...", documents: "N", articles };
  const console = whereTheConsoleIs({ consoleUrl: "http://127.0.0.1:8080/console" }, "k7fm-2wqx-9bnd");
  expect(page).toContain(`${console}\n${howToAsk("http://127.0.0.1:8080", made, DEMO)}\n\`\`\``);
  expect(page).not.toMatch(/\d+ pages/);
});
