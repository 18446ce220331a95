import { execFileSync } from "node:child_process";
import { expect, inject, it } from "vitest";

/** Says whether what understands English has been loaded: once the engine is open, and once a bot is. */
const PROGRAM = `
  import { createRequire } from "node:module";
  import { Engine } from "@loredex/core";
  const isRead = () => Object.keys(createRequire(import.meta.url).cache).some((file) => file.includes("wink-nlp"));
  const engine = await Engine.open({ background: process.argv[1] === "background", embedders: {} });
  const opened = isRead();
  const { bot } = await engine.createBot({ name: "one", language: "en" });
  await engine.bot(bot.id);
  console.log(JSON.stringify([opened, isRead()]));
  await engine.close();
`;

it.each([
  ["an engine that serves has read English before there are requests", "background", true],
  ["an engine of a single command reads it with the first bot that it opens", "command", false],
] as const)("%s", (_, way, atOnce) => {
  const args = ["--input-type=module", "--eval", PROGRAM, way];
  const said = execFileSync(process.execPath, args, { cwd: inject("built"), encoding: "utf8" });
  expect(JSON.parse(said)).toEqual([atOnce, true]);
});
