import { must } from "../model/must.ts";
import { NO_EMBEDDER } from "../model/options.ts";
import type { QuestionVectorFigures } from "../model/work.ts";
import type { Logger } from "../platform/log-event.ts";
import type { EmbedderOffer } from "./embedder.ts";
import { EmbedderError } from "./embedder-error.ts";
import { openEnglishStatic } from "./english-static.ts";
import { type Patience, SharedEmbedder, type Sleep } from "./shared-embedder.ts";

/** The embedders of an engine that is given none. They need no native code. */
const OWN_EMBEDDERS: Readonly<Record<string, EmbedderOffer>> = {
  static: { languages: ["en"], static: openEnglishStatic },
};

/**
 * Stand-ins: embedders of other programs, of which this engine has only the static embedder. It can still serve their bots, as the vectors are of
 * the same space.
 */
const STAND_INS: Readonly<Record<string, EmbedderOffer>> = {
  minilm: { languages: [], static: openEnglishStatic },
};

/** Stands in an offer for all languages that no other offer names. */
const OTHER_LANGUAGES = "*";

type Offers = Readonly<Record<string, EmbedderOffer>>;

/** The name of the default embedder for a language tag such as `de-CH`. An offer may name the tag, or its language alone (`de`). */
export function defaultEmbedder(offers: Offers, tag: string): string {
  const all = Object.entries(offers);
  const naming = (names: readonly string[]): string | undefined =>
    all.find(([, { languages }]) => names.some((name) => languages.includes(name)))?.[0];
  return naming([tag, must(tag.split("-", 1)[0], "the language of a tag")]) ?? naming([OTHER_LANGUAGES]) ?? NO_EMBEDDER;
}

/** The offer of an embedder that this engine was not given. */
function notOffered(name: string, names: readonly string[]): EmbedderOffer {
  const refuse = async (): Promise<never> => {
    const message = `the embedder ${name} of this bot is not among those of this process (${names.join(", ")})`;
    const mend = `start it with the embedder ${name}, or choose another one for the bot`;
    throw new EmbedderError("EMBEDDER_UNAVAILABLE", message, { mend, lasts: true });
  };
  return { languages: [], open: refuse, check: refuse };
}

/** The embedders of an engine, by name. Each is shared by all bots that use it. */
export class Embedders {
  readonly #shared = new Map<string, SharedEmbedder>();
  readonly #offers: Offers;
  readonly #share: (name: string, offer: EmbedderOffer, standsIn?: boolean) => SharedEmbedder;

  /** If no offers are given, the engine has its own embedders, and stand-ins for bots of programs that have others. */
  constructor(given: Offers | undefined, logger: Logger, sleep: Sleep, patience: Patience = {}) {
    this.#offers = given ?? OWN_EMBEDDERS;
    this.#share = (name, offer, standsIn = false) => {
      const shared = new SharedEmbedder(name, offer, logger, sleep, { ...patience, standsIn });
      this.#shared.set(name, shared);
      return shared;
    };
    for (const [name, offer] of Object.entries(this.#offers)) this.#share(name, offer);
    if (given !== undefined) return;
    for (const [name, offer] of Object.entries(STAND_INS)) this.#share(name, offer, true);
  }

  /** The names that a bot may choose: {@link NO_EMBEDDER} and all offers, but no stand-ins. */
  get names(): string[] {
    return [NO_EMBEDDER, ...Object.keys(this.#offers)];
  }

  /** The name of the default embedder of a new bot, by its language tag. */
  defaultFor(tag: string): string {
    return defaultEmbedder(this.#offers, tag);
  }

  /**
   * The embedder of a name; undefined for {@link NO_EMBEDDER}. A name that this engine has no offer of is missing, as an embedder that cannot be
   * opened: bots of other programs have such names, and what their searches lack is told.
   */
  get(name: string): SharedEmbedder | undefined {
    if (name === NO_EMBEDDER) return undefined;
    return this.#shared.get(name) ?? this.#share(name, notOffered(name, this.names));
  }

  /** Checks the named embedders, and logs which are missing. Never rejects, and opens none. */
  async look(names: Iterable<string>): Promise<void> {
    await Promise.all([...new Set(names)].map((name) => this.#shared.get(name)?.look()));
  }

  /** Figures of the question caches, summed over all embedders. */
  questionFigures(): QuestionVectorFigures {
    const all = [...this.#shared.values()].map(({ questionFigures }) => questionFigures);
    const sumOf = (figure: keyof QuestionVectorFigures): number => all.reduce((sum, own) => sum + own[figure], 0);
    return { found: sumOf("found"), made: sumOf("made"), bytes: sumOf("bytes") };
  }

  /** Closes all embedders that were opened. */
  async close(): Promise<void> {
    for (const shared of this.#shared.values()) await shared.close();
  }
}
