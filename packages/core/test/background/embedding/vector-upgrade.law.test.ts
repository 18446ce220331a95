import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { expect, it } from "vitest";
import { lawRuns } from "../../../../../test/support/law-runs.ts";
import { VectorUpgrade } from "../../../src/background/embedding/vector-upgrade.ts";
import { EmbedderError } from "../../../src/embedding/embedder-error.ts";
import { EMBEDDED_TEXTS_VERSION } from "../../../src/index/embedded-texts.ts";
import type { StoredVectors } from "../../../src/log/vector-table.ts";
import { LoredexError } from "../../../src/model/errors.ts";
import { FakeEmbedder } from "../../support/fake-embedder.ts";

const IDS = ["a", "b", "c", "d", "e"];
const WORK = ["open", "embed", "append", "keep", "sleep"] as const;
type Place = (typeof WORK)[number];

/** What can go wrong, and where. */
const FAULTS: readonly { readonly at: Place; readonly error: Error | undefined }[] = [
  { at: "open", error: undefined },
  { at: "open", error: new Error("The stored vectors have no room.") },
  { at: "embed", error: new Error("The model server is overloaded (429).") },
  { at: "embed", error: new RangeError("It gave a vector of 3 numbers where it promised 512.") },
  { at: "embed", error: new EmbedderError("EMBEDDER_FAILED", "Not these texts.") },
  { at: "append", error: new LoredexError("DISK_FULL", "The disk has no room.") },
  { at: "append", error: new LoredexError("BOT_FULL", "The bot is full.") },
  { at: "keep", error: new Error("The disk has no room.") },
];

/** A step of a history. */
type Step =
  | { readonly do: "add" | "addForTokenCodes" | "remove" | "refuse"; readonly id: string }
  | { readonly do: "whenIdle" | "whenIdleOrResting" | "close" | "wakeUp" | "mend" }
  | { readonly do: "fail"; readonly fault: (typeof FAULTS)[number] }
  | { readonly do: "wait"; readonly rounds: number };

const simple = fc.constantFrom("whenIdle", "whenIdleOrResting", "wakeUp", "mend");
const ANY_STEP: fc.Arbitrary<Step> = fc.oneof(
  { weight: 12, arbitrary: fc.record({ do: fc.constant("add"), id: fc.constantFrom(...IDS) }) },
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constantFrom("addForTokenCodes", "remove", "refuse"), id: fc.constantFrom(...IDS) }),
  },
  { weight: 8, arbitrary: fc.record({ do: simple }) },
  { weight: 1, arbitrary: fc.constant({ do: "close" }) },
  { weight: 8, arbitrary: fc.record({ do: fc.constant("fail"), fault: fc.constantFrom(...FAULTS) }) },
  { weight: 12, arbitrary: fc.record({ do: fc.constant("wait"), rounds: fc.integer({ min: 1, max: 8 }) }) },
) as fc.Arbitrary<Step>;

/** An upgrade whose surroundings fail as told, and that notes what it does. */
class World {
  /** The newest versions of the documents that exist. */
  readonly versions = new Map<string, number>();
  readonly stored = new Map<string, StoredVectors>();
  readonly faults: (typeof FAULTS)[number][] = [];
  /** Documents whose texts the embedder refuses, in whatever company. */
  readonly refused = new Set<string>();
  /** Work in progress. Appends of one call are one work. */
  readonly #active = new Map<Place, number>();
  readonly pauses: number[] = [];
  /** What it did and may not do. */
  readonly broken: string[] = [];
  isClosed = false;
  /** Whether the last opening gave an embedder. */
  isAvailable = true;
  #wakeUp = (): void => undefined;
  readonly upgrade: VectorUpgrade;

  constructor(background: boolean, textsPerCall: number) {
    const embedder = new FakeEmbedder({
      dimensions: 4,
      textsPerCall,
      tokens: "1",
      onPassages: (texts) =>
        this.#work("embed", () => {
          const isRefused = [...this.refused].some((id) => texts.some((text) => text.includes(`car ${id}`)));
          if (isRefused) throw new EmbedderError("EMBEDDER_FAILED", "Not these texts.");
        }),
    });
    this.upgrade = new VectorUpgrade({
      embedder: () => this.#work("open", () => (this.isAvailable ? embedder : undefined)),
      newest: (id) => this.newest(id),
      tokenCodes: {
        isOpen: true,
        gap: () => undefined,
        keep: (made) => this.#work("keep", () => []).catch(() => made.map(({ id }) => id)) as Promise<string[]>,
      },
      append: ({ id, version, space, first }, codes) =>
        this.#work("append", () => {
          const before = first === 0 ? [] : [...(this.stored.get(id)?.codes ?? [])];
          // As the state does: what is there already, and what is of an old version, changes nothing.
          if (this.versions.get(id) !== version || before.length !== first * space.dimensions) return;
          const all = Int8Array.from([...before, ...codes]);
          this.stored.set(id, { version, space, codes: all, texts: EMBEDDED_TEXTS_VERSION });
        }),
      sleep: (ms, signal) => {
        this.pauses.push(ms);
        return this.#work(
          "sleep",
          () => undefined,
          new Promise<void>((resolve) => {
            this.#wakeUp = resolve;
            signal.addEventListener("abort", () => resolve());
          }),
        );
      },
      onUnfinished: () => undefined,
      clock: { wallMs: () => 0, monotonicMs: () => 0 },
      logger: () => undefined,
      botId: "bot",
      background,
    });
  }

  newest(id: string) {
    const version = this.versions.get(id);
    if (version === undefined) return undefined;
    const content = [{ md: `A car ${id}.` }];
    const document = { id, type: "DOCUMENT", status: "active", metaData: {}, content, titles: ["T"] } as const;
    const vectors = this.stored.get(id);
    return { version, document, windows: 2, vectors: vectors?.version === version ? vectors : undefined };
  }

  /** The documents that lack vectors. */
  get lacking(): string[] {
    return [...this.versions.keys()].filter((id) => this.newest(id)?.vectors?.codes.length !== 2 * 4);
  }

  take(step: Step): void | Promise<void> {
    const { upgrade, versions } = this;
    switch (step.do) {
      case "add":
        versions.set(step.id, (versions.get(step.id) ?? 0) + 1);
        return upgrade.add(step.id);
      case "addForTokenCodes":
        return upgrade.add(step.id, "lacksTokenCodes");
      case "remove":
        versions.delete(step.id);
        return upgrade.remove(step.id);
      case "refuse":
        this.refused.add(step.id);
        return;
      case "fail":
        this.faults.push(step.fault);
        return;
      case "mend":
        this.faults.length = 0;
        return;
      case "wakeUp":
        return this.#wakeUp();
      case "wait":
        return this.wait(step.rounds);
      case "close":
        this.isClosed = true;
        return upgrade.close();
      default:
        // It may have to wait for later steps.
        void upgrade[step.do]();
    }
  }

  async wait(rounds: number): Promise<void> {
    for (let i = 0; i < rounds; i++) await setImmediate();
  }

  /** Ends every pause, until all faults are over. */
  async settle(): Promise<void> {
    for (let i = 0; i < 60; i++) {
      this.#wakeUp();
      await this.wait(3);
    }
  }

  async #work<Result>(at: Place, result: () => Result, until: Promise<unknown> = setImmediate()): Promise<Result> {
    // Not thrown: the upgrade would take it for a failure.
    for (const [place, count] of this.#active)
      if (count > 0 && (place !== at || at !== "append")) this.broken.push(`${at} beside ${place}`);
    if (this.isClosed) this.broken.push(`${at} after the close`);
    this.#active.set(at, (this.#active.get(at) ?? 0) + 1);
    await until;
    this.#active.set(at, (this.#active.get(at) ?? 0) - 1);
    const fault = this.faults.findIndex((each) => each.at === at);
    if (at === "open") this.isAvailable = fault < 0;
    const [{ error } = {}] = fault < 0 ? [] : this.faults.splice(fault, 1);
    if (error !== undefined) throw error;
    return result();
  }
}

it("any history loses no document, does one work at a time, and does none after the close", async () => {
  const law = fc.asyncProperty(
    fc.boolean(),
    fc.constantFrom(1, 3, 100),
    fc.array(ANY_STEP, { maxLength: 40, size: "max" }),
    async (background, textsPerCall, steps) => {
      const world = new World(background, textsPerCall);
      const { upgrade } = world;
      const documents = () => upgrade.documents;
      for (const step of steps) {
        await world.take(step);
        if (world.isClosed) break;
      }
      if (world.isClosed) {
        for (const id of IDS) upgrade.add(id);
        await Promise.all([upgrade.whenIdle(), upgrade.whenIdleOrResting(), world.settle()]);
        expect([upgrade.isWorking, world.broken]).toEqual([false, []]);
        return;
      }
      await world.settle();
      expect(world.lacking.length).toBeLessThanOrEqual(documents().vectorsMissing + documents().vectorsGivenUp);
      const mayWait = !background || upgrade.hasStopped || upgrade.blocked !== undefined || !world.isAvailable;
      if (!mayWait) expect(documents()).toMatchObject({ vectorsMissing: 0, tokenCodesMissing: 0 });
      world.faults.length = 0;
      await Promise.all([upgrade.whenIdle(), world.settle()]);
      expect(documents()).toMatchObject({ vectorsMissing: 0, tokenCodesMissing: 0 });
      expect(world.lacking).toHaveLength(documents().vectorsGivenUp);
      for (const [i, ms] of world.pauses.entries()) expect([500, 2 * (world.pauses[i - 1] ?? 0)]).toContain(ms);
      expect(world.broken).toEqual([]);
      await world.take({ do: "close" });
    },
  );
  await fc.assert(law, { numRuns: lawRuns(400) });
});
