import { realpath, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Engine } from "@loredex/core";
import { describe, expect, it } from "vitest";
import { withEncoder } from "../../encoder/test/runtime.ts";
import { acme } from "./support/acme.ts";
import { damageLog } from "./support/damage.ts";
import { documentLine, writeFiles } from "./support/files.ts";
import { type Outcome, run } from "./support/run.ts";
import { temporaryDirectory } from "./support/temporary-directory.ts";

it("bot create --if-missing makes a bot once: the next time it is there, with its settings and its key", async () => {
  const directory = join(await temporaryDirectory(), "data");
  const create = (...more: string[]): Promise<Outcome> =>
    run("bot", "create", "shop", "--if-missing", ...more, "--data", directory);
  const made = await create("--json", "--quota", "10");
  expect(made.code).toBe(0);
  const { bot, key, created } = JSON.parse(made.out);
  expect(created).toBe(true);
  expect(key).toMatch(/^\S{20,}$/);
  const again = await create("--json", "--quota", "20");
  expect({ code: again.code, out: JSON.parse(again.out) }).toEqual({ code: 0, out: { bot, created: false } });
  const plain = await create();
  expect({ code: plain.code, out: plain.out }).toEqual({ code: 0, out: "" });
  expect(plain.err).toContain(`Bot shop (${bot}) is there already`);
  expect((await run("bot", "create", "shop", "--data", directory)).code).toBe(1);
});

describe("bots and keys", () => {
  withEncoder("are made, listed, shown, changed and removed", async () => {
    const { at, made, json } = await acme();
    const { bot, key } = JSON.parse(made.out);
    expect(made).toMatchObject({ code: 0, err: "" });
    expect([bot, key]).toEqual([expect.stringMatching(/^[0-9a-f]{24}$/), expect.stringMatching(/^lore_/)]);
    const again = await at("bot", "create", "acme");
    expect(again).toMatchObject({ code: 1, out: "", err: expect.stringContaining("already") });
    expect((await at("bot", "create", "beta")).out).toMatch(/shown only now:\n\n {2}lore_\w+\S+\n$/);
    expect((await at("bot", "list")).out).toMatch(/^NAME .*\nacme .* 2,000 .* yes\nbeta .* 1,000,000 .* yes\n$/);
    expect(await json("bot", "list")).toMatchObject([{ id: bot, quotaCharacters: 2_000 }, { name: "beta" }]);
    expect(await json("bot", "set", bot, "--name", "gamma", "--rate", "1,000")).toMatchObject({
      name: "gamma",
      rateCharactersPerMinute: 1_000,
    });
    expect((await at("bot", "show", "gamma")).out).toMatch(/^gamma\n[\s\S]*characters +0 of 2,000\n/);
    expect(await json("bot", "show", "gamma")).toMatchObject({ bot: { id: bot }, stats: { articles: 0 } });
    expect((await at("bot", "show", "acme")).err).toContain("no bot");
    const renewed = await json("key", "rotate", "gamma");
    expect(renewed.key).not.toBe(key);
    expect(await json("key", "revoke", "gamma")).toEqual({ revoked: "gamma" });
    expect((await at("bot", "list")).out).toMatch(/gamma .* none\n/);
    expect(await json("bot", "remove", "gamma", "--yes")).toEqual({ removed: "gamma" });
    expect((await at("bot", "remove", "beta", "--yes")).code).toBe(0);
    expect(await at("bot", "list")).toMatchObject({ code: 0, out: "", err: expect.stringContaining("bot create") });
  });
});

it("bot list is a table of the fleet, without a server too, and tells what keeps a bot from being opened", async () => {
  const { directory, folder, at, json } = await acme();
  await at("import", "acme", folder);
  await at("bot", "create", "beta", "--embedder", "none");
  const table = (await at("bot", "list")).out.split("\n");
  expect(table[0]).toMatch(/^NAME +ID +DOCUMENTS +CHARACTERS +HEALTH +QUEUE +LAST WRITE +AS OF +KEY$/);
  expect(table[1]).toMatch(
    /^acme +\w{24} +2 +0 of 2,000 \(0 %\) +ok +0 \+ 2 for the embedder +\d{4}-\d\d-\d\d \d\d:\d\d +now +yes$/,
  );
  expect(table[2]).toMatch(/^beta +\w{24} +0 +0 of 1,000,000 \(0 %\) +ok, words alone +0 +- +now +yes$/);
  expect(await json("bot", "list")).toMatchObject([
    { name: "acme", figures: { documents: 2, articles: 0 } },
    { name: "beta" },
  ]);
  const [{ id }] = await json("bot", "list");
  await damageLog(join(directory, "data"), `bot-${id}`, 0);
  const told = (await at("bot", "list")).out;
  // What it held when it was last closed.
  expect(told).toMatch(/^acme +\w{24} +2 +0 of 2,000 \(0 %\) +DAMAGED .* \d{4}-\d\d-\d\d \d\d:\d\d +yes$/m);
  expect(told).toMatch(/^acme is damaged and refused: /m);
});

describe("agents and channels", () => {
  it("are added, switched, shown, listed and removed", async () => {
    const { directory, at, json } = await acme();
    for (const kind of ["agent", "channel"]) {
      expect((await at(kind, "set", "acme", "web", "--active")).code).toBe(1);
      expect(await json(kind, "add", "acme", "web")).toEqual({ name: "web", active: true });
      expect((await at(kind, "add", "acme", "phone", "--inactive")).err).toBe(`The ${kind} phone is inactive.\n`);
      expect((await at(kind, "list", "acme")).out).toMatch(/ACTIVE\nphone +no\nweb +yes\n$/);
      expect(await json(kind, "set", "acme", "web", "--inactive")).toEqual({ name: "web", active: false });
      expect((await at(kind, "show", "acme", "web")).out).toBe(`The ${kind} web is inactive.\n`);
      expect(await json(kind, "remove", "acme", "web")).toEqual({ removed: "web" });
      expect((await at(kind, "remove", "acme", "web")).code).toBe(1);
      expect((await at(kind, "show", "acme", "web")).code).toBe(1);
      expect(await json(kind, "list", "acme")).toEqual([{ name: "phone", active: false }]);
    }
    const engine = await Engine.open({ directory: join(directory, "data") });
    const activeOn = [{ agent: "ann", channel: "web" }];
    await (await engine.bot("acme")).createArticle({ title: "For Ann", body: "x", activeOn });
    await engine.close();
    const attached = (await at("agent", "show", "acme", "ann")).out;
    expect(attached).toMatch(/^The agent ann is not registered\.\nARTICLE +TITLE\n[0-9a-f]{24} {2}For Ann\n$/);
    expect(await json("agent", "show", "acme", "ann")).toMatchObject({
      registered: false,
      articles: [{ title: "For Ann" }],
    });
  });
});

describe("meaning", () => {
  withEncoder("is there at once by the static embedder, and the embedder's when an import waits for it", async () => {
    const { folder, at, json } = await acme();
    const question = ["search", "acme", "reimbursement deadline"] as const;
    await at("import", "acme", folder);
    expect(await json(...question)).toMatchObject([{ resourceDocId: "file:handbook/refunds.md" }]);
    expect((await at("bot", "show", "acme")).out).toMatch(
      /embedder {5}minilm: 0 of 4 vectors made, 4 by the built-in small encoder, 2 documents wait; exact scan\n/,
    );
    expect((await at("import", "acme", folder, "--wait-vectors")).err).toMatch(/\b0 added, 0 changed, 2 unchanged\n$/);
    expect((await at("bot", "show", "acme")).out).toMatch(/minilm: 4 of 4 vectors made; exact/);
    expect(await json(...question, "--quality", "fast")).toMatchObject([{ resourceDocId: "file:handbook/refunds.md" }]);
    expect((await at(...question, "--quality", "quick")).code).toBe(2);
    expect((await at("bot", "set", "acme", "--quality", "fast")).out).toMatch(/QUALITY[\s\S]*fast/);
    expect((await at("bot", "show", "acme")).out).toContain("quality      fast\n");
    expect(await json("bot", "show", "acme")).toMatchObject({
      bot: { embedder: "minilm" },
      stats: { vectors: { embedder: "minilm", texts: 4, vectors: 4, documentsWaiting: 0 } },
    });
  });

  withEncoder("is the same after a restore that waits for what the backup leaves out", async () => {
    const { folder, at, json } = await acme();
    const question = ["search", "acme", "reimbursement deadline"] as const;
    await at("import", "acme", folder, "--wait-vectors");
    const before = await json(...question);
    const file = join(folder, "acme.backup");
    await at("backup", "acme", file);
    await at("bot", "remove", "acme", "--yes");
    expect((await at("restore", file)).code).toBe(0);
    expect(await json(...question)).not.toEqual(before);
    expect((await at(...question)).err).toMatch(/^2 documents are found without reranking until .* --wait-vectors/);
    await at("bot", "remove", "acme", "--yes");
    const restored = await at("restore", file, "--wait-vectors");
    expect(restored).toMatchObject({ code: 0, err: expect.stringMatching(/with the key that it had\.\n/) });
    expect(await json(...question)).toEqual(before);
    expect((await at(...question)).err).toBe("");
  });

  it("can be left out, for a new bot or one that is there", async () => {
    const { folder, at, json } = await acme();
    await at("import", "acme", folder, "--wait-vectors");
    expect((await at("bot", "set", "acme", "--embedder", "none")).out).toMatch(/EMBEDDER[\s\S]*none/);
    expect((await at("search", "acme", "reimbursement deadline")).err).toBe("Nothing was found.\n");
    expect((await at("bot", "show", "acme")).out).toContain("embedder     none: found by words alone\n");
    expect((await at("import", "acme", folder)).err).toBe("0 added, 0 changed, 2 unchanged\n");
    await at("bot", "create", "plain", "--embedder", "none");
    await at("bot", "create", "welsh", "--language", "multi");
    expect(await json("bot", "list")).toMatchObject([
      { name: "acme", embedder: "none" },
      { name: "plain", embedder: "none" },
      { name: "welsh", embedder: "multilingual" },
    ]);
    const refused = await at("bot", "create", "other", "--embedder", "bert");
    expect(refused).toMatchObject({
      code: 2,
      err: expect.stringContaining("one of none, minilm, multilingual, static, openai"),
    });
  });
});

describe("imported knowledge", () => {
  withEncoder("is found, shown, switched and taken out", async () => {
    const { folder, at, json } = await acme();
    const imported = await at("import", "acme", folder);
    expect(imported).toMatchObject({ code: 0, out: "" });
    expect(imported.err.split("\n")).toEqual([
      "2 added, 0 changed, 0 unchanged",
      expect.stringMatching(/^2 documents are found by words and by .* until the embedder has read all: /),
      "",
    ]);
    // That is said of an import that brought something, and not with every search.
    expect((await at("import", "acme", folder)).err).toBe("0 added, 0 changed, 2 unchanged\n");
    const source = await realpath(folder);
    expect((await at("sync", "acme")).err).toBe(`${source}: 0 added, 0 changed, 2 unchanged, 0 removed\n`);
    const asked = await at("search", "acme", "money", "--top-k", "1");
    expect(asked.err).not.toContain("documents are found");
    // What the encoder finds is shown in the same way, and takes half a second a question to load.
    await at("bot", "set", "acme", "--quality", "fast");
    const found = await at("search", "acme", "when does money come back", "--top-k", "1");
    expect(found.out).toMatch(/^0\.\d{3} {2}Refunds\n +DOCUMENT {2}file:handbook\/refunds\.md\n/);
    expect(found.out).toMatch(/ {2}0\.\d{3} {2}\S+\/handbook\/refunds\.md:6\n {7}Money comes back within 14 days\.\n/);
    expect(await json("search", "acme", "money")).toMatchObject([
      { resourceDocId: "file:handbook/refunds.md", metaData: { owner: "Ann", sourceLine: 4 } },
    ]);
    const around = await at("search", "acme", "when does money come back", "--top-k", "1", "--context", "section");
    expect(around.out).toMatch(
      /refunds\.md:6\n {7}Refunds\n {7}# Refunds\n {7}\n {5}> Money comes back within 14 days\.\n/,
    );
    expect((await at("search", "acme", "money", "--offset", "99")).err).toBe(
      "Nothing was found beyond the first 99 documents.\n",
    );
    expect((await at("search", "acme", "money", "--offset", "100")).code).toBe(2);
    expect((await at("explain", "acme", "money", "file:handbook/refunds.md", "--min-score", "1")).out).toContain(
      "which is below the least score that was asked for",
    );
    expect(await at("search", "acme", "zzz")).toEqual({ code: 0, out: "", err: "Nothing was found.\n" });
    expect((await at("suggest", "acme", "réf", "--limit", "1")).out).toBe(
      "TEXT     KIND   ID\nRefunds  title  file:handbook/refunds.md\n",
    );
    expect(await json("suggest", "acme", "refnuds")).toEqual([
      { text: "Refunds", resourceDocId: "file:handbook/refunds.md", kind: "title" },
    ]);
    expect(await at("suggest", "acme", "zzz")).toEqual({ code: 0, out: "", err: "No text continues that.\n" });
    expect((await at("bot", "show", "acme")).out).toContain("2 DOCUMENT");
    expect((await at("list", "acme")).out).toMatch(
      /^ID +TYPE +STATUS +TITLE\n.*refunds.*Refunds\n.*shipping.*Shipping\n$/,
    );
    expect((await at("list", "acme", "--type", "QNA")).out).toBe("");
    expect((await at("list", "acme", "--sort", "title:desc")).out).toMatch(/^ID.*\n.*Shipping\n.*Refunds\n$/);
    expect((await at("list", "acme", "--sort", "id:desc")).out).toMatch(/^ID.*\n.*Shipping\n.*Refunds\n$/);
    const counted = await at(
      "search",
      "acme",
      "money",
      "--facet",
      "metaData.owner",
      "--facet",
      "url",
      "--group-by",
      "type",
    );
    expect(counted.out).toMatch(/^DOCUMENT\n\n0\.\d{3} {2}Refunds\n/);
    expect(counted.out).toMatch(/\nmetaData\.owner {2}COUNT\nAnn +1\n\nurl {2}COUNT\n\n1 document found\.\n$/);
    expect(await at("search", "acme", "money", "--facet", "type", "--offset", "5")).toEqual({
      code: 0,
      out: "type      COUNT\nDOCUMENT  1\n\n1 document found.\n",
      err: "Nothing was found beyond the first 5 documents.\n",
    });
    expect((await at("search", "acme", "money", "--min-score", "1")).err).toBe(
      "Nothing was found with a score of 1 or more.\n",
    );
    const [found1] = await json("search", "acme", "money");
    expect(await json("search", "acme", "money", "--group-by", "url", "--group-size", "1")).toEqual({
      results: [found1],
      total: 1,
      groups: [{ value: null, results: [found1] }],
    });
    const wrong = await at("search", "acme", "money", "--group-size", "2");
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining("options.groupBy is required")]);
    const shown = await at("show", "acme", "file:handbook/refunds.md");
    expect(shown.out).toMatch(
      /^file:handbook\/refunds\.md {2}DOCUMENT {2}active\n[\s\S]*owner: Ann\n[\s\S]*\n\n# Refunds\n/,
    );
    expect(await json("show", "acme", "file:handbook/refunds.md")).toMatchObject({ metaData: { title: "Refunds" } });
    expect((await at("show", "acme", "nope")).code).toBe(1);
    const switched = await at("status", "acme", "file:handbook/shipping.md", "nope", "pending", "--json");
    expect(switched.code).toBe(1);
    expect(switched.err).toContain("nope");
    expect(JSON.parse(switched.out)).toEqual({ changed: ["file:handbook/shipping.md"], missing: ["nope"] });
    expect(await json("list", "acme", "--status", "pending")).toHaveLength(1);
    expect((await at("search", "acme", "parcels")).out).toContain("DOCUMENT  pending  file:handbook/shipping.md\n");
    expect(await at("remove", "acme", "file:handbook/refunds.md")).toMatchObject({ code: 0, err: "1 removed\n" });
    expect((await at("search", "acme", "money")).err).toContain("Nothing was found");
  });

  it("is not found by a type or status that there is not, which is told", async () => {
    const { at, folder } = await acme();
    await at("bot", "set", "acme", "--embedder", "none");
    await at("import", "acme", folder);
    for (const [field, value, known] of [
      ["type", "EXTERN", "WEBPAGE, PDF, DOCUMENT, TABLE, QNA, EXTERNAL"],
      ["status", "on", "active, inactive, pending"],
    ]) {
      const hint = `No document has the ${field} "${value}"; there are ${known}.\n`;
      const filter = ["--filter", `${field}=${value}`, "--json"];
      expect(await at("search", "acme", "money", ...filter)).toEqual({ code: 0, out: "[]\n", err: hint });
      expect(await at("explain", "acme", "money", "file:handbook/refunds.md", ...filter)).toMatchObject({ err: hint });
    }
    expect((await at("search", "acme", "money", "--filter", "type=EXTERNAL")).err).not.toContain("there are");
  });

  it("is exported as what imports again, and names bad lines", async () => {
    const { directory, folder, at } = await acme();
    const questions = join(directory, "faq.jsonl");
    const question = { resourceDocId: "q", type: "QNA", question: "Why?", answer: "So.", alternatives: ["How come?"] };
    await writeFile(questions, JSON.stringify({ ...question, status: "inactive", metaData: { a: ["\u009b\u202e"] } }));
    await at("import", "acme", folder, questions);
    const exported = await at("export", "acme");
    expect(exported.out.trim().split("\n")).toHaveLength(3);
    await writeFile(join(directory, "again.jsonl"), `${exported.out}{"resourceDocId": 7}\n`);
    await at("bot", "create", "copy");
    const again = await at("import", "copy", join(directory, "again.jsonl"), "--json");
    expect(again.code).toBe(1);
    expect(again.err).toContain("again.jsonl:4: resourceDocId must be a string");
    expect(JSON.parse(again.out)).toMatchObject({ added: 3, failed: 1, problems: [{ message: expect.any(String) }] });
    expect((await at("export", "copy")).out).toBe(exported.out);
  });

  it("follows its folder with --sync, but not when anything could not be read", async () => {
    const { folder, at, json } = await acme();
    await at("import", "acme", folder);
    await rm(join(folder, "shipping.md"));
    expect(await json("import", "acme", folder, "--sync")).toMatchObject({ unchanged: 1, removed: 1 });
    await rm(join(folder, "refunds.md"));
    await writeFile(join(folder, "bad.jsonl"), "{");
    const partly = await at("import", "acme", folder, "--sync");
    expect(partly.code).toBe(1);
    expect(partly.err).toMatch(/bad\.jsonl:1: the line is no valid JSON.*\n.*handbook: nothing was removed/);
    expect(await json("list", "acme")).toHaveLength(1);
  });

  it("is said to be of no known kind where it is", async () => {
    const { directory, folder, at } = await acme();
    await writeFiles(directory, { "a.xyz": "x", "handbook/b.xyz": "x" });
    for (const path of [join(directory, "a.xyz")]) {
      const { code, err } = await at("import", "acme", path);
      expect(code).toBe(1);
      expect(err).toContain("supported are .md, ");
    }
    expect((await at("import", "acme", folder)).err).toContain("1 of other kinds passed over");
  });

  it("is not read for a bot that is not there", async () => {
    const { folder, at } = await acme();
    expect(await at("import", "nobody", folder)).toMatchObject({ code: 1, err: expect.stringContaining("no bot") });
  });

  it("cannot steer the terminal that shows it", async () => {
    const { directory, at } = await acme();
    const evil = "\u001b[2J\u001b]0;x\u0007\u009b2J\u202e";
    const document = {
      resourceDocId: `id${evil}`,
      type: "DOCUMENT",
      url: `http://a/${evil}`,
      metaData: { title: evil },
    };
    const lines = [JSON.stringify({ ...document, content: [{ md: `apple ${evil}` }] }), documentLine("b", "apple")];
    await writeFiles(directory, { "x.jsonl": lines.join("\n") });
    await at("import", "acme", join(directory, "x.jsonl"));
    for (const argv of [
      ["list", "acme"],
      ["search", "acme", "apple"],
      ["show", "acme", document.resourceDocId],
    ]) {
      for (const more of [[], ["--json"]]) {
        const { out, code } = await at(...argv, ...more);
        expect(code).toBe(0);
        expect(out).toContain("[2J");
        // biome-ignore lint/suspicious/noControlCharactersInRegex: what must not come out
        expect(out).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/);
      }
    }
  });

  it("is searchable after the next start if nobody waited for it", async () => {
    const { folder, at } = await acme();
    expect((await at("import", "acme", folder, "--no-wait")).code).toBe(0);
    expect((await at("search", "acme", "parcels")).out).toContain("Parcels leave at noon.");
  });
});
