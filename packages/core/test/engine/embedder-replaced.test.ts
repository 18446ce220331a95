import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { BotVectors } from "../../src/background/embedding/bot-vectors.ts";
import type { Embedder, EmbedderOffer, StaticEmbedder } from "../../src/embedding/embedder.ts";
import { SharedEmbedder } from "../../src/embedding/shared-embedder.ts";
import { FakeEmbedder } from "../support/fake-embedder.ts";
import { FakeStatic } from "../support/fake-static.ts";
import { vectorsOfABot } from "../support/vectors-of-a-bot.ts";
import { withoutGraph } from "../support/without-graph.ts";

/** What is waited for until somebody lets it through. */
class Gate {
  letThrough: () => void = () => undefined;
  /** Resolves when somebody waits. */
  readonly reached: Promise<void>;
  #reach: () => void = () => undefined;
  readonly #through = new Promise<void>((resolve) => {
    this.letThrough = resolve;
  });

  constructor() {
    this.reached = new Promise((resolve) => {
      this.#reach = resolve;
    });
  }

  async pass(): Promise<void> {
    this.#reach();
    await this.#through;
  }
}

type Stop = "static" | "graphs" | "open";

const shared = (offer: Omit<EmbedderOffer, "languages">): SharedEmbedder =>
  new SharedEmbedder(
    "fake",
    { languages: [], ...offer },
    () => undefined,
    () => new Promise(() => undefined),
  );

/** A bot that is being given an embedder, and waits at one place. */
async function waitingAt(stop: Stop) {
  const gate = new Gate();
  const at = (place: Stop): Promise<void> => (place === stop ? gate.pass() : Promise.resolve());
  const opened: string[] = [];
  const staticEmbedder = async (): Promise<StaticEmbedder> => {
    await at("static");
    return new FakeStatic(stop === "open" ? "of another" : "1");
  };
  const open = async (): Promise<Embedder> => {
    opened.push("first");
    await at("open");
    return new FakeEmbedder();
  };
  const bot = vectorsOfABot({
    graphs: async () => {
      await at("graphs");
      return withoutGraph();
    },
  });
  const used = bot.vectors.use(shared({ static: staticEmbedder, open }));
  if (stop === "open") {
    await used;
    void bot.vectors.whenUpgraded();
  }
  await gate.reached;
  return { ...bot, gate, used, opened };
}

/** What makes the first embedder's use end. */
const ENDS: Readonly<Record<string, (vectors: BotVectors) => Promise<void>>> = {
  "was replaced": (vectors) => vectors.use(undefined),
  "lost its bot": (vectors) => vectors.close(),
};

describe.each(Object.keys(ENDS))("an embedder that %s", (end) => {
  it.each(["static", "graphs", "open"] as const)("while it waits for %s does nothing any more", async (stop) => {
    const { vectors, index, events, unfinished, gate, used, opened } = await waitingAt(stop);
    const before = opened.length;
    await ENDS[end]?.(vectors);
    const seen = {
      vectors: index.windowVectors.rows,
      space: index.windowVectors.space,
      events: [...events],
      unfinished: [...unfinished],
    };
    gate.letThrough();
    await used;
    await setImmediate();
    expect({ vectors: index.windowVectors.rows, space: index.windowVectors.space, events, unfinished }).toEqual(seen);
    expect(opened).toHaveLength(before);
    await vectors.close();
  });
});

it("an embedder that goes on is opened when it is needed, and fills the index", async () => {
  const { vectors, index, events, gate, opened } = await waitingAt("open");
  gate.letThrough();
  await vectors.whenUpgraded();
  expect(opened).toEqual(["first"]);
  expect(events).toEqual(["staticOfAnother"]);
  expect(index.windowVectors.space?.version).toBe(new FakeEmbedder().version);
  await vectors.close();
});
