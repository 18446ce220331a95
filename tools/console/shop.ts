/** A shop's bot as it is after some weeks, on a server of its own: what the pictures of the console show. */

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { LoredexAdmin, LoredexClient } from "@loredex/client";
import { EMBEDDERS, type RunningServer, serve } from "loredex";

const FOLDER = fileURLToPath(new URL("shop/", import.meta.url));
const DAY_MS = 86_400_000;

/** What customers ask in each week. The shop answers most of it. */
const WEEKS: readonly (readonly string[])[] = [
  [
    "How long does a refund take?",
    "Do you ship to Norway?",
    "When will my parcel arrive?",
    "Is there a teacher discount?",
  ],
  ["ship to Norway", "What size is M?", "Do I get my money back for a sale item?", "Which courier comes on weekends?"],
  ["Do you deliver to Norway too?", "opening hours in Hamburg", "Which courier brings my parcel on weekends?"],
];
/** What the shop writes in each week. */
const ARTICLES = [["refunds", "orders", "invoice"], ["delivery", "gift-cards"], ["warranty"]] as const;

export interface Shop {
  readonly server: RunningServer;
  /** Of an admin, for all bots. */
  readonly key: string;
  /** The id of each article by the name of its file. */
  readonly articles: ReadonlyMap<string, string>;
}

/** @param directory an empty one, for its data */
export async function openShop(directory: string): Promise<Shop> {
  const now = Date.now;
  const server = await serve({ directory, embedders: EMBEDDERS, port: 0, console: {} });
  try {
    const adminKey = await server.engine.administration.addKey("ada");
    const admin = new LoredexAdmin({ baseUrl: server.url, key: adminKey });
    const { key } = await admin.createBot({ name: "shop", questionLog: true, quotaCharacters: 2_000 });
    await admin.createBot({ name: "handbook" });
    const client = new LoredexClient({ baseUrl: server.url, key });
    for (const name of await readdir(join(FOLDER, "site"))) {
      const { id } = await admin.uploadFile("shop", name, await readFile(join(FOLDER, "site", name)), {
        source: "site",
      });
      await admin.waitForJob("shop", id);
    }
    const ids = new Map<string, string>();
    for (const [week, names] of ARTICLES.entries()) {
      // The clock of this process stands before the real one, so that weeks pass within seconds.
      Date.now = () => now() - (ARTICLES.length - 1 - week) * 7 * DAY_MS;
      for (const name of names) {
        const text = await readFile(join(FOLDER, `${name}.md`), "utf8");
        const [, title = name, body = text] = /^# ([^\n]*)\n\n(.*)$/s.exec(text) ?? [];
        const source = `https://shop.example.com/${name}`;
        ids.set(name, (await client.createArticle({ title, body, source })).article.id);
      }
      await vectors(server);
      for (const question of WEEKS[week] ?? []) await client.search(question);
      await admin.setGolden("shop", { questions: await goldenQuestions(ids) });
      await admin.waitForJob("shop", (await admin.startRun("shop")).id);
    }
    return { server, key: adminKey, articles: ids };
  } catch (error) {
    await server.close();
    throw error;
  } finally {
    Date.now = now;
  }
}

/** Waits until the sentence encoder has read all. */
async function vectors({ engine }: RunningServer): Promise<void> {
  const shop = await engine.bot("shop");
  while ((await shop.stats()).vectors.documentsWaiting > 0) await new Promise((resolve) => setTimeout(resolve, 100));
}

/** Each with the id of the article that answers it; an article that is not written yet is missed. */
async function goldenQuestions(ids: ReadonlyMap<string, string>) {
  const all = JSON.parse(await readFile(join(FOLDER, "golden.json"), "utf8")) as {
    question: string;
    document: string;
  }[];
  return all.map(({ question, document }) => ({ question, expected: [{ id: ids.get(document) ?? document }] }));
}
