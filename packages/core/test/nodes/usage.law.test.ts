import fc from "fast-check";
import { expect, it, onTestFinished } from "vitest";
import { lawRuns } from "../../../../test/support/law-runs.ts";
import type { Bot } from "../../src/bot.ts";
import { Engine } from "../../src/engine.ts";
import { RATE_WINDOW_MS } from "../../src/model/limits.ts";
import type { ImportedType } from "../../src/model/types.ts";
import { SimulatedDatabase } from "../../testing/simulated-database.ts";
import { TestClock } from "../support/test-clock.ts";

type Step =
  | { readonly is: "create"; readonly node: number; readonly characters: number }
  | { readonly is: "update"; readonly node: number; readonly article: number; readonly characters: number }
  | { readonly is: "delete"; readonly node: number; readonly article: number }
  | { readonly is: "import"; readonly node: number; readonly id: string; readonly type: Exclude<ImportedType, "QNA"> }
  | { readonly is: "remove"; readonly node: number; readonly id: string }
  | { readonly is: "pass"; readonly ms: number };

const node = fc.nat(2);
const article = fc.nat(9);
const characters = fc.integer({ min: 4, max: 900 });
const id = fc.constantFrom("a", "b", "c");
const type = fc.constantFrom("WEBPAGE" as const, "PDF" as const, "DOCUMENT" as const, "TABLE" as const);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ is: fc.constant("create" as const), node, characters }) },
  { weight: 3, arbitrary: fc.record({ is: fc.constant("update" as const), node, article, characters }) },
  { weight: 2, arbitrary: fc.record({ is: fc.constant("delete" as const), node, article }) },
  { weight: 2, arbitrary: fc.record({ is: fc.constant("import" as const), node, id, type }) },
  { weight: 1, arbitrary: fc.record({ is: fc.constant("remove" as const), node, id }) },
  { weight: 4, arbitrary: fc.record({ is: fc.constant("pass" as const), ms: fc.nat({ max: 70_000 }) }) },
);

const QUOTA = 3_000;
const RATE = 2_000;
const TITLE = "abc";

/** The plainest bot that could be right. */
class Model {
  readonly articles = new Map<string, number>();
  readonly documents = new Map<string, ImportedType>();
  #admitted: { readonly atMs: number; readonly characters: number }[] = [];
  now = 0;

  get used(): number {
    return [...this.articles.values()].reduce((sum, size) => sum + size, 0);
  }
  admit(added: number): void {
    if (added > 0) this.#admitted.push({ atMs: this.now, characters: added });
  }
  get window() {
    this.#admitted = this.#admitted.filter(({ atMs }) => atMs > this.now - RATE_WINDOW_MS);
    const lastMs = this.#admitted.at(-1)?.atMs;
    return {
      charactersPerMinute: RATE,
      used: this.#admitted.reduce((sum, { characters }) => sum + characters, 0),
      resetSeconds: lastMs === undefined ? 0 : Math.ceil((lastMs + RATE_WINDOW_MS - this.now) / 1_000),
    };
  }
  get types(): Record<string, number> {
    const counts: Record<string, number> = { WEBPAGE: 0, PDF: 0, DOCUMENT: 0, TABLE: 0, QNA: 0 };
    for (const each of this.documents.values()) counts[each] = (counts[each] ?? 0) + 1;
    return { ...counts, EXTERNAL: this.articles.size };
  }
}

/** Takes a step on its node, and in the model if the node accepts it. */
async function take(each: Exclude<Step, { is: "pass" }>, bot: Bot, model: Model): Promise<void> {
  const made = [...model.articles.keys()];
  if (each.is === "import") {
    const content = [{ md: `About ${each.id} as ${each.type}.` }];
    await bot.importDocument({ resourceDocId: each.id, type: each.type, content });
    model.documents.set(each.id, each.type);
    return;
  }
  if (each.is === "remove") {
    if (model.documents.delete(each.id)) await bot.removeDocument(each.id);
    return;
  }
  if (each.is === "create") {
    const fits = model.used + each.characters <= QUOTA && model.window.used + each.characters <= RATE;
    const write = bot.createArticle({ title: TITLE, body: "b".repeat(each.characters - TITLE.length) });
    if (!fits) return expect(write).rejects.toThrow(/exceeded/);
    model.articles.set((await write).article.id, each.characters);
    return model.admit(each.characters);
  }
  const chosen = made[each.article % Math.max(1, made.length)];
  if (chosen === undefined) return;
  const before = model.articles.get(chosen) ?? 0;
  if (each.is === "delete") {
    await bot.deleteArticle(chosen);
    model.articles.delete(chosen);
    return;
  }
  const added = Math.max(0, each.characters - before);
  const fits = added === 0 || (model.used + added <= QUOTA && model.window.used + added <= RATE);
  const write = bot.updateArticle(chosen, { body: "b".repeat(each.characters - TITLE.length) });
  if (!fits) return expect(write).rejects.toThrow(/exceeded/);
  await write;
  model.articles.set(chosen, each.characters);
  model.admit(added);
}

it("the usage that each node tells is the sum of the writes of all nodes", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25, size: "max" }), async (steps) => {
      const clock = new TestClock();
      const database = new SimulatedDatabase({ clock });
      const open = async (): Promise<Engine> => {
        const engine = await Engine.open({ embedders: {}, clock, storage: database.open() });
        onTestFinished(() => engine.close());
        return engine;
      };
      const nodes = [await open(), await open(), await open()] as const;
      const { bot } = await nodes[0].createBot({
        ...{ name: "help", embedder: "none" },
        ...{ quotaCharacters: QUOTA, rateCharactersPerMinute: RATE },
      });
      const bots = await Promise.all(nodes.map((engine) => engine.bot(bot.id)));
      const model = new Model();
      for (const each of steps) {
        if (each.is === "pass") {
          clock.advance(each.ms);
          model.now += each.ms;
        } else await take(each, bots[each.node] as Bot, model);
        const { bytes: _, ...expected } = await (bots[0] as Bot).usage();
        expect(expected).toEqual({
          characterUsed: model.used,
          characterQuota: QUOTA,
          characterLeft: QUOTA - model.used,
          rate: model.window,
          documents: model.types,
          embedder: null,
        });
        for (const one of bots) expect(await one.usage()).toMatchObject(expected);
      }
      for (const engine of nodes) await engine.close();
    }),
    { numRuns: lawRuns(200) },
  );
}, 120_000);
