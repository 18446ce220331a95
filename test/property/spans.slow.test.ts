import { Engine } from "@loredex/core";
import { expect, it } from "vitest";
import { expectQuoted, extremeMarkdown } from "./extreme-markdown.ts";
import { slowRuns } from "./runs.ts";
import { expectSpanLaw } from "./span-law.ts";

it("arbitrary markdown is quoted exactly by the lines that a search gives, 10,000 times", async () => {
  await expectSpanLaw(slowRuns(10_000));
});

it("extreme markdown of a million characters is taken, found and quoted exactly", async () => {
  const engine = await Engine.open({ embedders: {} });
  const bodies = extremeMarkdown(1_000_000);
  expect(bodies.length).toBeGreaterThan(30);
  for (const [name, body] of bodies) await expectQuoted(engine, name, body);
  await engine.close();
});
