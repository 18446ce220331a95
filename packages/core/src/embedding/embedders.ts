import { NO_EMBEDDER } from "../model/options.ts";
import type { QuestionVectorFigures } from "../model/work.ts";
import type { Logger } from "../platform/log-event.ts";
import type { EmbedderOffer } from "./embedder.ts";
import { OWN_EMBEDDERS, STAND_INS } from "./own-embedders.ts";
import { type Patience, SharedEmbedder, type Sleep } from "./shared-embedder.ts";

/** Stands in an offer for all languages that no other offer names. */
const OTHER_LANGUAGES = "*";

type Offers = Readonly<Record<string, EmbedderOffer>>;

/** What a new bot of this language gets of these; an offer may name the language alone, or a tag of it. */
export function defaultEmbedder(offers: Offers, tag: string): string {
  const all = Object.entries(offers);
  const naming = (names: readonly string[]): string | undefined =>
    all.find(([, { languages }]) => names.some((name) => languages.includes(name)))?.[0];
  return naming([tag, tag.split("-", 1)[0] ?? tag]) ?? naming([OTHER_LANGUAGES]) ?? NO_EMBEDDER;
}

/** The embedders that bots can be given, by name. */
export class Embedders {
  readonly #shared = new Map<string, SharedEmbedder>();
  readonly #offers: Offers;

  /** Where none are given, there is the engine's own, and a stand-in for the bots of others. */
  constructor(given: Offers | undefined, logger: Logger, sleep: Sleep, patience: Patience = {}) {
    this.#offers = given ?? OWN_EMBEDDERS;
    for (const [name, offer] of Object.entries(this.#offers)) {
      this.#shared.set(name, new SharedEmbedder(name, offer, logger, sleep, patience));
    }
    if (given !== undefined) return;
    for (const [name, offer] of Object.entries(STAND_INS)) {
      this.#shared.set(name, new SharedEmbedder(name, offer, logger, sleep, { ...patience, standsIn: true }));
    }
  }

  /** All choices: {@link NO_EMBEDDER} is one of them, a stand-in is none. */
  get names(): string[] {
    return [NO_EMBEDDER, ...Object.keys(this.#offers)];
  }

  /** What a new bot of this language gets. */
  defaultFor(tag: string): string {
    return defaultEmbedder(this.#offers, tag);
  }

  /** Undefined for {@link NO_EMBEDDER}, and for one that is not known here. */
  get(name: string): SharedEmbedder | undefined {
    return this.#shared.get(name);
  }

  /** Says of those that are missing that they are. Never rejects, and opens none. */
  async look(names: Iterable<string>): Promise<void> {
    await Promise.all([...new Set(names)].map((name) => this.#shared.get(name)?.look()));
  }

  /** Of all of them together. */
  questionFigures(): QuestionVectorFigures {
    const all = [...this.#shared.values()].map(({ questionFigures }) => questionFigures);
    const sumOf = (figure: keyof QuestionVectorFigures): number => all.reduce((sum, own) => sum + own[figure], 0);
    return { found: sumOf("found"), made: sumOf("made"), bytes: sumOf("bytes") };
  }

  /** Closes those that were opened. */
  async close(): Promise<void> {
    for (const shared of this.#shared.values()) await shared.close();
  }
}
