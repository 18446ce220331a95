import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Engine } from "@loredex/core";
import { expect, it } from "vitest";
import { run } from "./support/run.ts";
import { temporaryDirectory } from "./support/temporary-directory.ts";

it("gaps and questions are shown, deleted, and kept by a backup that asks for them", async () => {
  const directory = await temporaryDirectory();
  const at = (...words: string[]) => run(...words, "--data", directory);
  const json = async (...words: string[]) => JSON.parse((await at(...words, "--json")).out);
  await at("bot", "create", "acme", "--embedder", "none");
  expect((await at("gaps", "acme")).err).toContain("bot set acme --question-log");
  const settings = await json("bot", "set", "acme", "--question-log", "--question-log-days", "7", "--gap-score", "0.5");
  expect(settings).toMatchObject({ questionLog: true, questionLogDays: 7, gapScore: 0.5 });
  expect((await at("bot", "show", "acme")).out).toContain(
    "kept for 7 days; gaps are those with a best score below 0.5",
  );
  expect((await at("gaps", "acme")).err).toBe("No question found little.\n");

  const engine = await Engine.open({ directory });
  const bot = await engine.bot("acme");
  for (const question of ["submarines", "submarines?", "trains to jo@example.com"]) await bot.search(question);
  await engine.close();
  // An operator's own question is none of users.
  await at("search", "acme", "operators ask too");

  expect((await at("gaps", "acme")).out.split("\n").slice(0, 3)).toEqual([
    expect.stringMatching(/^QUESTION +COUNT +7 DAYS +BEFORE +BEST +NEAREST DOCUMENT$/),
    expect.stringMatching(/^submarines\?? +2 +2 +0 +0\.00/),
    expect.stringMatching(/^trains to \[e-mail\] +1 +1 +0 +0\.00/),
  ]);
  expect(await json("gaps", "acme", "--limit", "1")).toMatchObject([{ count: 2 }]);
  expect(await json("gaps", "acme", "--below", "0")).toHaveLength(2);
  expect((await at("question", "list", "acme")).out).toContain("trains to [e-mail]");

  const [without, withThem] = [join(directory, "a.backup"), join(directory, "b.backup")];
  await at("backup", "acme", without);
  await at("backup", "acme", withThem, "--with-questions");
  await at("restore", without, "--as", "plain");
  await at("restore", withThem, "--as", "whole");
  expect(await json("question", "list", "plain")).toEqual([]);
  expect(await json("question", "list", "whole")).toHaveLength(3);

  expect((await at("question", "clear", "acme")).code).toBe(2);
  expect(await json("question", "clear", "acme", "--yes")).toEqual({ cleared: "acme" });
  expect(await json("question", "list", "acme")).toEqual([]);
  expect(await json("bot", "set", "acme", "--no-question-log")).toMatchObject({ questionLog: false });
  expect(await json("bot", "set", "acme", "--question-log")).toMatchObject({ questionLog: true });
  expect(await json("bot", "set", "acme", "--question-log=false")).toMatchObject({ questionLog: false });
});

it("golden questions are kept, and so is a measurement", async () => {
  const directory = await temporaryDirectory();
  const at = (...words: string[]) => run(...words, "--data", directory);
  await at("bot", "create", "acme", "--embedder", "none");
  const file = join(directory, "questions.jsonl");
  await writeFile(file, '{ "question": "how long?", "id": "refunds" }\n');
  expect((await at("golden", "import", "acme", file)).err).toBe("acme has 1 golden question.\n");
  expect(JSON.parse((await at("golden", "export", "acme")).out)).toMatchObject({ question: "how long?" });
  await at("eval", "acme", file, "--keep");
  await at("eval", "acme", file);
  await writeFile(file, "no JSON\n");
  expect((await at("golden", "import", "acme", file)).code).toBe(1);
  await writeFile(file, "\n");
  const empty = await at("golden", "import", "acme", file);
  expect([empty.code, empty.err]).toEqual([2, expect.stringContaining('has no question; "loredex golden clear"')]);
  const engine = await Engine.open({ directory });
  const insights = await engine.insights("acme");
  expect(await insights.runs()).toMatchObject([{ id: "1", questions: 1, missed: 1 }]);
  expect(await insights.golden()).toHaveLength(1);
  await engine.close();
  expect((await at("golden", "clear", "acme")).code).toBe(2);
  expect((await at("golden", "clear", "acme", "--yes")).err).toBe("acme has no golden questions.\n");
  expect((await at("golden", "export", "acme")).out).toBe("");
});
