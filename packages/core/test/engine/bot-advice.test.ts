import fc from "fast-check";
import { expect, it, onTestFinished } from "vitest";
import { mostlyWrittenIn } from "../../src/background/written-language.ts";
import { Engine, type EngineOptions } from "../../src/engine.ts";
import type { BotInfo } from "../../src/model/types.ts";
import type { BotDeps } from "../../src/open-bot.ts";
import type { LogEvent } from "../../src/platform/log-event.ts";
import { openOn, simulatedDisk } from "../storage/kit.ts";
import { bareBot, INFO } from "../support/bare-bot.ts";
import { FakeEmbedder } from "../support/fake-embedder.ts";
import { KeptStorage } from "../support/kept-storage.ts";

const GERMAN = [
  "Rückzahlungen werden innerhalb von vierzehn Tagen auf das Konto überwiesen, von dem bezahlt wurde.",
  "Pakete kommen in zwei bis drei Werktagen an, und an Feiertagen wird nicht zugestellt.",
  "Ihr Kennwort ändern Sie in den Einstellungen, nachdem Sie sich angemeldet haben.",
  "Unser Kundendienst ist werktags von neun bis siebzehn Uhr für Sie erreichbar.",
  "Die Rechnung wird nach der Bestellung als Anhang an Ihre Adresse verschickt.",
];
const ENGLISH = [
  "Refunds are paid within fourteen days to the account that was used for the payment.",
  "Parcels arrive in two to three working days, and nothing is delivered on holidays.",
  "You can change your password in the settings after you have signed in.",
  "Our support team is there for you from nine to five on working days.",
  "The invoice is sent to your address as an attachment after you have placed the order.",
];
const FRENCH = [
  "Les remboursements sont versés sur le compte qui a servi au paiement de la commande.",
  "Les colis arrivent en deux ou trois jours ouvrables, et jamais pendant les jours fériés.",
  "Vous pouvez changer votre mot de passe dans les paramètres après vous être connecté.",
  "Notre service clients répond à vos questions tous les jours ouvrables de neuf à dix-sept heures.",
];

/** Lists whose language is chance: names, products, and a table of figures. */
const NAMES = [
  "Müller GmbH, Berlin",
  "Schäfer & Söhne, München",
  "Jürgen Groß, Köln",
  "Søren Kierkegaard, København",
  "Björn Ångström, Göteborg",
  "François Lefèvre, Orléans",
  "Günther Weiß, Düsseldorf",
  "José Hernández, Sevilla",
];
const PRODUCTS = [
  "Sony WH-1000XM5 Wireless Headphones Black",
  "Logitech MX Master 3S Graphite Mouse",
  "Dyson V15 Detect Absolute Vacuum Cleaner",
  "Apple Magic Keyboard Silver Wireless",
];
const FIGURES = ["| SKU | Price | Stock |\n|---|---|---|\n| K4-WHT | 59.00 | 14 |\n| K5-BLK | 69.00 | 22 |"];
const often = (texts: readonly string[]): string[] =>
  Array.from({ length: 24 }, (_, i) => `${texts[i % texts.length]}`);

const open = async (): Promise<FakeEmbedder> => new FakeEmbedder({ weight: 0.5, dimensions: 16 });
const EMBEDDERS: EngineOptions["embedders"] = {
  small: { languages: ["en"], open },
  large: { languages: ["*"], open },
};

interface Opened {
  readonly engine: Engine;
  readonly log: LogEvent[];
}

async function opened(options: EngineOptions): Promise<Opened> {
  const log: LogEvent[] = [];
  const engine = await Engine.open({ logger: (event) => log.push(event), ...options });
  onTestFinished(() => engine.close());
  return { engine, log };
}

async function feed(engine: Engine, name: string, texts: readonly string[]): Promise<void> {
  const bot = await engine.bot(name);
  for (const body of texts) await bot.createArticle({ title: body.slice(0, 20), body });
  await bot.whenSearchable();
  await bot.stats();
}

/** What is advised of a bot by what is known of it without opening it. */
function advised(engine: Engine, name: string): unknown {
  const bot = engine.fleet().find((one) => one.name === name);
  expect(bot?.advice ?? []).toEqual(engine.advice(name));
  return bot?.advice?.map(({ kind, mend }) => [kind, mend.replace(bot.id, "ID")]) ?? [];
}

const told = (log: readonly LogEvent[]): string[] =>
  log.filter(({ event }) => event === "otherLanguage" || event === "wordsAlone").map(({ event }) => event);

it("names a bot that is fed in another language, once a start, with the command that mends it", async () => {
  const storage = new KeptStorage();
  const { engine, log } = await opened({ storage, embedders: {}, background: false });
  const { bot } = await engine.createBot({ name: "shop" });
  await feed(engine, "shop", GERMAN);
  const mend = `loredex bot set ${bot.id} --language de`;
  expect(advised(engine, "shop")).toEqual([["otherLanguage", "loredex bot set ID --language de"]]);
  expect(engine.advice("shop")[0]?.story).toContain(`are written in de, and its language is en`);
  await feed(engine, "shop", GERMAN);
  expect(log.filter(({ event }) => event === "otherLanguage")).toEqual([
    expect.objectContaining({ level: "warn", botId: bot.id, message: expect.stringContaining(mend) }),
  ]);
  // Mended and broken again, it is named, and not told again.
  for (const language of ["de", "en"]) {
    await engine.updateBot("shop", { language });
    await (await engine.bot("shop")).whenUpgraded();
    await (await engine.bot("shop")).stats();
    expect(advised(engine, "shop")).toHaveLength(language === "de" ? 0 : 1);
  }
  expect(told(log)).toEqual(["otherLanguage"]);
  await engine.close();

  // Known without a look at its documents.
  const later = await opened({ storage, embedders: {} });
  expect(later.engine.openBots).toBe(0);
  expect(told(later.log)).toEqual(["otherLanguage"]);
  expect(advised(later.engine, "shop")).toEqual([["otherLanguage", "loredex bot set ID --language de"]]);
  await (await later.engine.bot("shop")).stats();
  expect(told(later.log)).toEqual(["otherLanguage"]);

  await later.engine.updateBot("shop", { language: "de-CH" });
  expect(advised(later.engine, "shop")).toEqual([]);
  await (await later.engine.bot("shop")).stats();
  expect(advised(later.engine, "shop")).toEqual([]);
});

it("says nothing of a bot that is fed in its language, that takes all, or of which too little is told", async () => {
  const { engine, log } = await opened({ embedders: {} });
  for (const [name, language, texts] of [
    ["english", "en", ENGLISH],
    ["german", "de", GERMAN],
    ["austrian", "de-AT", GERMAN],
    ["auto", "auto", GERMAN],
    ["multi", "multi", GERMAN],
    ["small", "en", GERMAN.slice(0, 2)],
    ["half", "en", [...ENGLISH, ...GERMAN.slice(0, 4)]],
    ["unknown to the teller", "la", GERMAN],
    ["codes", "de", ["```\n".concat("for (const a of b) if (a === c) return the(value);\n".repeat(20), "```")]],
  ] as const) {
    await engine.createBot({ name, language });
    await feed(engine, name, texts);
    expect([name, advised(engine, name)]).toEqual([name, []]);
  }
  expect(told(log)).toEqual([]);
});

it("takes no list of names, products or figures for another language", async () => {
  const { engine } = await opened({ embedders: {} });
  const lists: [string, string, readonly string[]][] = [
    ["names, en", "en", NAMES],
    ["names, de", "de", NAMES],
    ["names, fr", "fr", NAMES],
    ["products, de", "de", PRODUCTS],
    ["figures, fr", "fr", FIGURES],
  ];
  for (const [name, language, texts] of lists) {
    await engine.createBot({ name, language });
    await feed(engine, name, often(texts));
  }
  const all = (): unknown[] => lists.map(([name]) => [name, advised(engine, name)]);
  expect(all()).toEqual(lists.map(([name]) => [name, []]));
  // Sentences that come later count.
  const sentences = Array.from({ length: 4 }, () => [...GERMAN, ...FRENCH, ...ENGLISH]).flat();
  for (const [name] of lists) await feed(engine, name, sentences);
  expect(all()).toEqual(lists.map(([name]) => [name, [["otherLanguage", "loredex bot set ID --language auto"]]]));
});

it("advises auto where the documents are in several languages, and an embedder with the language where there is none", async () => {
  const { engine } = await opened({ embedders: EMBEDDERS });
  await engine.createBot({ name: "mixed" });
  await feed(engine, "mixed", [...GERMAN.slice(0, 4), ...FRENCH]);
  expect(advised(engine, "mixed")).toEqual([["otherLanguage", "loredex bot set ID --language auto"]]);
  await engine.createBot({ name: "bare", embedder: "none" });
  expect(advised(engine, "bare")).toEqual([["wordsAlone", "loredex bot set ID --embedder small"]]);
  await feed(engine, "bare", GERMAN);
  expect(engine.advice("bare")[0]?.story).toContain(
    "questions find less. To mend it, index its documents again, with vectors of large: loredex bot set ",
  );
  expect(advised(engine, "bare")).toEqual([["otherLanguage", "loredex bot set ID --language de --embedder large"]]);
});

it("tells what the change costs, and names an embedder where the present one understands English alone and would stay", async () => {
  const english = { languages: [], open };
  const { engine } = await opened({ embedders: { ...EMBEDDERS, static: english, minilm: english, own: english } });
  const mended: unknown[] = [];
  for (const [name, embedder] of [["follows"], ["static", "static"], ["minilm", "minilm"], ["own", "own"]] as const) {
    await engine.createBot({ name, ...(embedder === undefined ? {} : { embedder }) });
    await feed(engine, name, GERMAN);
    const [{ story, mend } = { story: "", mend: "" }] = engine.advice(name);
    expect(story.endsWith(`: ${mend}`)).toBe(true);
    mended.push([name, /To mend it, (.*): loredex/.exec(story)?.[1], / --language .*/.exec(mend)?.[0]]);
  }
  expect(mended).toEqual([
    ["follows", "index its documents again, with vectors of large", " --language de"],
    ["static", "index its documents again, with vectors of large", " --language de --embedder large"],
    ["minilm", "index its documents again, with vectors of large", " --language de --embedder large"],
    ["own", "index its documents again", " --language de"],
  ]);
  // An embedder of English stays where the documents are English, and where there is no other one.
  await engine.createBot({ name: "german", language: "de", embedder: "static" });
  await feed(engine, "german", ENGLISH);
  expect(engine.advice("german")[0]?.story).toMatch(/again: loredex bot set \w+ --language en$/);
  const without = await opened({ embedders: { static: { languages: ["en"], open } } });
  await without.engine.createBot({ name: "alone" });
  await feed(without.engine, "alone", GERMAN);
  expect(without.engine.advice("alone")[0]?.story).toMatch(
    /again, without vectors: loredex bot set \w+ --language de$/,
  );
});

it("goes by the newest documents, of which it reads a bounded number", async () => {
  const { engine } = await opened({ embedders: {} });
  await engine.createBot({ name: "turned" });
  const many = Array.from({ length: 8 }, () => ENGLISH).flat();
  await feed(engine, "turned", many);
  expect(advised(engine, "turned")).toEqual([]);
  await feed(engine, "turned", Array.from({ length: 7 }, () => GERMAN).flat());
  expect(advised(engine, "turned")).toEqual([["otherLanguage", "loredex bot set ID --language de"]]);
});

it("reads at most 1,000 units of 32 documents, and again only when something has changed", async () => {
  const read: string[] = [];
  const teller = async () => ({
    knows: () => true,
    hasSentences: () => true,
    tell: (text: string) => {
      read.push(text);
      return "de";
    },
  });
  const known: unknown[] = [];
  const written: BotDeps["written"] = {
    reader: { isPlainlyEnglish: () => false, teller },
    lastKnown: undefined,
    onKnown: (language) => known.push(language),
  };
  const storage = await openOn(simulatedDisk());
  await storage.create("bot");
  const store = await storage.open("bot");
  const info = (): BotInfo => ({ ...INFO, language: "en" });
  const bot = await bareBot(store, { info, written, background: false });
  for (let i = 0; i < 100; i++) {
    const md = `${`Absatz ${i} steht hier. `.repeat(200)}\n\n`.repeat(3);
    await bot.documents.import({ resourceDocId: `${i}`, type: "DOCUMENT", content: [{ md }] });
  }
  await bot.whenSearchable();
  await bot.probe();
  expect(read).toHaveLength(32);
  expect(Math.max(...read.map(({ length }) => length))).toBeLessThanOrEqual(1_000);
  expect(read.map((text) => Number(/\d+/.exec(text)?.[0])).sort()).toEqual(
    Array.from({ length: 32 }, (_, i) => 99 - i).sort(),
  );
  await bot.probe();
  expect([read.length, known]).toEqual([32, ["de"]]);
  await bot.close();
});

it("a running engine finds out by itself", async () => {
  const { engine, log } = await opened({ embedders: {} });
  await engine.createBot({ name: "shop" });
  const bot = await engine.bot("shop");
  for (const body of Array.from({ length: 4 }, () => GERMAN).flat()) await bot.createArticle({ title: "Hilfe", body });
  await expect.poll(() => told(log), { timeout: 10_000 }).toEqual(["otherLanguage"]);
});

it("a running engine finds out about a few articles too, as soon as they tell a language", async () => {
  const { engine, log } = await opened({ embedders: {} });
  await engine.createBot({ name: "shop" });
  const bot = await engine.bot("shop");
  for (const body of GERMAN) await bot.createArticle({ title: "Hilfe", body });
  await expect.poll(() => advised(engine, "shop"), { timeout: 10_000 }).toHaveLength(1);
  expect(told(log)).toEqual(["otherLanguage"]);
  await engine.createBot({ name: "handbook" });
  await (await engine.bot("handbook")).createArticle({ title: "Handbuch", body: GERMAN.join("\n\n") });
  await expect.poll(() => advised(engine, "handbook"), { timeout: 10_000 }).toHaveLength(1);
});

it("names the bots of an older version that have no embedder, in one line a start, until each has one", async () => {
  const storage = new KeptStorage();
  const older = await opened({ storage, embedders: {} });
  for (const name of ["a", "b"]) await older.engine.createBot({ name });
  await older.engine.createBot({ name: "c", language: "de" });
  expect(told(older.log)).toEqual([]);
  expect(advised(older.engine, "a")).toEqual([]);
  await older.engine.close();

  const { engine, log } = await opened({ storage, embedders: EMBEDDERS });
  const [event] = log.filter(({ event }) => event === "wordsAlone");
  expect(told(log)).toEqual(["wordsAlone"]);
  expect(event).toMatchObject({ level: "info", message: expect.stringMatching(/^3 bots: /) });
  for (const { id, name } of engine.listBots())
    expect(event?.message).toContain(`loredex bot set ${id} --embedder ${name === "c" ? "large" : "small"}`);
  expect(advised(engine, "a")).toEqual([["wordsAlone", "loredex bot set ID --embedder small"]]);
  await engine.updateBot("a", { embedder: "small" });
  expect(advised(engine, "a")).toEqual([]);
  await engine.close();

  const last = await opened({ storage, embedders: EMBEDDERS });
  expect(last.log.find(({ event }) => event === "wordsAlone")?.message).toMatch(/^2 bots: /);
});

it("names no language that is not told of most of the text, and never the bot's own", () => {
  const languages = ["en", "de", "fr", "da", "no"];
  const units = fc.dictionary(fc.constantFrom(...languages), fc.nat(5_000)).map((of) => new Map(Object.entries(of)));
  fc.assert(
    fc.property(fc.constantFrom(...languages), units, (own, told) => {
      const found = mostlyWrittenIn(own, told);
      const all = [...told.values()].reduce((sum, count) => sum + count, 0);
      const others = all - (told.get(own) ?? 0);
      expect(found).not.toBe(own);
      if (found !== undefined) expect(others * 2).toBeGreaterThan(all);
      if (found !== undefined && found !== "auto") expect((told.get(found) ?? 0) * 2).toBeGreaterThan(all);
    }),
  );
  expect(mostlyWrittenIn("da", new Map([["no", 5_000]]))).toBeUndefined();
});
