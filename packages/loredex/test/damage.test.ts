import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Engine, type LogEvent } from "@loredex/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { serve } from "../src/serve.ts";
import { damageLog } from "./support/damage.ts";
import { fetchOnce } from "./support/fetch-once.ts";
import { type Outcome, run } from "./support/run.ts";
import { temporaryDirectory } from "./support/temporary-directory.ts";

/** A data directory with the bots `broken`, of which the record of its article Two is damaged, and `fine`. */
async function damaged() {
  const folder = await temporaryDirectory();
  const directory = join(folder, "data");
  const engine = await Engine.open({ directory });
  const broken = await engine.createBot({ name: "broken" });
  const fine = await engine.createBot({ name: "fine" });
  for (const name of ["broken", "fine"]) {
    const bot = await engine.bot(name);
    await bot.importDocument({ resourceDocId: "p", type: "WEBPAGE", content: [{ md: "red apple" }] });
    const activeOn = [{ channel: "web" }];
    await bot.createArticle({ title: "One", body: "Plums.", source: "https://a.b/", metadata: { k: 1 }, activeOn });
    await bot.createArticle({ title: "Two", body: "Pears are lost." });
    await bot.createArticle({ title: "Three", body: "Cherries." });
  }
  await engine.close();
  const file = await damageLog(directory, `bot-${broken.bot.id}`, 2);
  const at = (...argv: readonly string[]): Promise<Outcome> => run(...argv, "--data", directory);
  return { folder, directory, broken, fine, file, at };
}

async function served(directory: string): Promise<{ url: string; events: LogEvent[] }> {
  const events: LogEvent[] = [];
  const server = await serve({ directory, port: 0, logger: (event) => void events.push(event) });
  onTestFinished(() => server.close());
  return { url: server.url, events };
}

describe("a damaged bot", () => {
  it("answers 503 with code 50004 on every route, the log says once where, and the other bots go on", async () => {
    const { directory, broken, fine, file } = await damaged();
    const { url, events } = await served(directory);
    const call = async (key: string, method: string, path: string, body?: object) => {
      const headers = { "x-api-key": key, "content-type": "application/json" };
      const init = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) };
      const response = await fetchOnce(`${url}/api/v1/knowledge${path}`, init);
      return { status: response.status, json: JSON.parse(await response.text()) };
    };
    const routes = [
      ["POST", "/search", { query: "apple" }],
      ["GET", ""],
      ["POST", "", { title: "New", body: "text" }],
      ["PUT", "/0123456789abcdef01234567", { body: "text" }],
      ["DELETE", "/0123456789abcdef01234567"],
    ] as const;
    for (const [method, path, body] of routes) {
      const refused = await call(broken.key, method, path, body);
      expect(refused).toMatchObject({ status: 503, json: { success: false, error: { code: 50004, status: 503 } } });
      expect((await call(fine.key, method, path, body)).status, method + path).not.toBe(503);
    }
    const quarantines = events.filter(({ event }) => event === "botQuarantined");
    expect(quarantines).toMatchObject([{ level: "error", botId: broken.bot.id, file, sequence: 3 }]);
    expect(quarantines[0]?.offset).toBeGreaterThan(128);
    // Nor does each request leave a line, or any a promise that it is tried again.
    const besideRequests = events.filter(({ event }) => event !== "request");
    expect(besideRequests.filter(({ level }) => level !== "info")).toHaveLength(1);
    expect(quarantines[0]?.message).not.toContain("tried again");
    const ready = await fetchOnce(`${url}/ready`);
    const faults = { count: 1, bots: [{ id: broken.bot.id, kind: "damaged" }] };
    expect([ready.status, await ready.json()]).toEqual([200, { status: "ready", faults }]);
    const listed = await run("bot", "list", "--data", directory);
    expect(listed.out).toMatch(/^broken is damaged and refused: .*is damaged at byte/m);
  });

  it.each(["directly", "through the running server"])("is found by verify, %s", async (way) => {
    const { directory, broken, fine, file, at } = await damaged();
    const before = await readFile(file);
    if (way !== "directly") await served(directory);
    const all = await at("verify");
    expect(all.code).toBe(1);
    expect(all.out).toMatch(/fine +bot-\S+ +whole/);
    expect(all.out).toMatch(/broken +bot-\S+ +DAMAGED/);
    expect(all.err).toMatch(/segment-\d{16}\.log: byte \d+, record 3: the checksum of the record is wrong/);
    expect(all.err).toMatch(/^broken \(bot-\S+\) is damaged; keep a copy/m);
    expect(await at("verify", "fine")).toMatchObject({ code: 0, err: "" });
    const { code, out } = await at("verify", broken.bot.id, "--json");
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({
      isWhole: false,
      stores: [
        { bot: { id: broken.bot.id, name: "broken" }, problems: [{ file, sequence: 3, offset: expect.any(Number) }] },
      ],
    });
    expect(await at("verify", "nobody")).toMatchObject({ code: 1, err: expect.stringContaining("no bot") });
    expect((await at("verify", fine.bot.id)).code).toBe(0);
    expect((await readFile(file)).equals(before)).toBe(true);
  });

  it.each(["directly", "through the running server"])("yields by salvage what is whole, %s", async (way) => {
    const { folder, directory, at } = await damaged();
    if (way !== "directly") await served(directory);
    const [to, again, articles] = [join(folder, "saved.jsonl"), join(folder, "again.jsonl"), join(folder, "a.jsonl")];
    const taken = await at("salvage", "broken", "--to", to);
    expect(taken).toMatchObject({
      code: 1,
      err: expect.stringContaining("taken out: 1 document and 2 articles; what those records wrote may be missing\n"),
    });
    expect(taken.err).toContain("nothing whole tells of the record 3 any more\n");
    expect((await stat(to)).mode & 0o777).toBe(0o600);
    const lines = (await readFile(to, "utf8"))
      .trim()
      .split("\n")
      .map((line): unknown => JSON.parse(line));
    expect(lines).toEqual([
      { resourceDocId: "p", type: "WEBPAGE", status: "active", metaData: {}, content: [{ md: "red apple" }] },
      {
        resourceDocId: expect.stringMatching(/^article:[0-9a-f]{24}$/),
        type: "DOCUMENT",
        url: "https://a.b/",
        metaData: { k: 1, title: "One" },
        content: [{ md: "Plums." }],
      },
      expect.objectContaining({ metaData: { title: "Three" } }),
    ]);
    await at("bot", "create", "new");
    expect(await at("import", "new", to, "--json")).toMatchObject({ code: 0 });
    expect((await at("search", "new", "cherries", "--json")).out).toContain("article:");

    const json = await at("salvage", "broken", "--to", again, "--articles", articles, "--json");
    expect(JSON.parse(json.out)).toMatchObject({
      documents: 1,
      articles: 2,
      isComplete: false,
      unchecked: [],
      lost: [{ firstSequence: 3, lastSequence: 3 }],
      problems: [{ sequence: 3 }],
    });
    expect((await readFile(again, "utf8")).trim().split("\n")).toHaveLength(1);
    const [first = ""] = (await readFile(articles, "utf8")).split("\n");
    expect(JSON.parse(first)).toEqual({
      title: "One",
      body: "Plums.",
      metadata: { k: 1 },
      source: "https://a.b/",
      activeOn: [{ channel: "web" }],
    });
  });

  it("yields what can be read of a snapshot's section that has changed, and says what has to be looked at", async () => {
    const { folder, directory, fine, at } = await damaged();
    expect((await at("purge", "fine")).code).toBe(0);
    const store = join(directory, "stores", `bot-${fine.bot.id}`);
    const section = (await readdir(store)).find((name) => name.endsWith("-articles.section")) ?? "";
    const bytes = await readFile(join(store, section));
    bytes.write("#", bytes.indexOf("Plums"));
    await writeFile(join(store, section), bytes);
    const { code, err } = await at("salvage", "fine", "--to", join(folder, "fine.jsonl"));
    expect(err).toMatch(/-articles\.section: byte 0, record \d+: its checksum is wrong\n/);
    expect(err).toMatch(
      /\nout of a damaged place, letters may have changed: look at [0-9a-f]{24}, [0-9a-f]{24}, [0-9a-f]{24}\n/,
    );
    expect(err).toContain(
      "taken out: 1 document and 3 articles; what those records wrote may be missing or have changed\n",
    );
    expect(code).toBe(1);
    expect(await readFile(join(folder, "fine.jsonl"), "utf8")).toContain("Cherries");
  });

  it("is whole but for what is made anew where only that has changed: verify and salvage say so, and it is opened", async () => {
    const { folder, directory, fine, at } = await damaged();
    expect((await at("purge", "fine")).code).toBe(0);
    const store = join(directory, "stores", `bot-${fine.bot.id}`);
    const section = (await readdir(store)).find((name) => name.endsWith("-search-index.section")) ?? "";
    const bytes = await readFile(join(store, section));
    bytes.writeUInt8(bytes.readUInt8(40) ^ 1, 40);
    await writeFile(join(store, section), bytes);
    const verified = await at("verify", "fine");
    expect(verified.code).toBe(1);
    expect(verified.err).toMatch(/-search-index\.section: byte 0, record \d+: its checksum is wrong; it is made again/);
    expect(verified.err).toMatch(/^fine \(bot-\S+\) has all that it knows/m);
    const { code, err } = await at("salvage", "fine", "--to", join(folder, "fine.jsonl"));
    // First of all, before what is wrong with files.
    expect(err).toMatch(/^taken out: 1 document and 3 articles; nothing is lost\n.*its checksum is wrong/s);
    expect(code).toBe(0);
    expect((await at("search", "fine", "cherries")).out).toContain("Cherries");
  });

  it("is told once by a command", async () => {
    const { at } = await damaged();
    const { code, err } = await at("bot", "show", "broken");
    expect([code, err.match(/is damaged at byte/g)?.length]).toEqual([1, 1]);
    expect(err).toMatch(/^loredex: .*\n$/);
  });

  it("is not salvaged over a file that is there, nor half", async () => {
    const { folder, at } = await damaged();
    const to = join(folder, "precious.jsonl");
    await writeFile(to, "precious");
    expect(await at("salvage", "broken", "--to", to)).toMatchObject({
      code: 1,
      err: expect.stringContaining("already"),
    });
    expect(await readFile(to, "utf8")).toBe("precious");
    const missing = await at("salvage", "nobody", "--to", join(folder, "new.jsonl"));
    expect(missing).toMatchObject({ code: 1, err: expect.stringContaining("no bot") });
    await expect(stat(join(folder, "new.jsonl"))).rejects.toThrow("ENOENT");
    await expect(stat(join(folder, "new.jsonl.part"))).rejects.toThrow("ENOENT");
    expect((await at("salvage", "broken")).code).toBe(2);
  });

  it("is told from a whole one, which a running server does not salvage", async () => {
    const { folder, directory, at } = await damaged();
    await served(directory);
    const refused = await at("salvage", "fine", "--to", join(folder, "fine.jsonl"));
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining("has all that it knows") });
  });
});

describe("a damaged catalog", () => {
  it("keeps the server from starting, and is found by verify; bots are salvaged by their ids", async () => {
    const { folder, directory, broken, at } = await damaged();
    await damageLog(directory, "catalog", 0);
    await expect(serve({ directory, port: 0 })).rejects.toMatchObject({ code: "CORRUPT" });
    const { code, err, out } = await at("verify");
    expect(code).toBe(1);
    expect(out).toMatch(/catalog +DAMAGED/);
    expect(err).toMatch(/catalog.*segment-\d{16}\.log: byte 128, record 1/);
    // Its first record was the one that named `broken`.
    expect((await at("salvage", "broken", "--to", join(folder, "x.jsonl"))).err).toContain("name it by its id");
    expect((await at("salvage", broken.bot.id, "--to", join(folder, "x.jsonl"))).code).toBe(1);
  });
});

describe("verify", () => {
  it("makes no data directory of anything", async () => {
    const folder = await temporaryDirectory();
    expect(await run("verify", "--data", folder)).toMatchObject({ code: 1, err: expect.stringContaining("no data") });
    expect((await run("verify", "--data", join(folder, "none"))).code).toBe(1);
  });
});
