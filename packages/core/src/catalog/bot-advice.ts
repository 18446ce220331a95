import { type Advice, type AdviceKind, adviceOf } from "../model/advice.ts";
import type { BotInfo } from "../model/types.ts";
import type { KnownFigures } from "../model/work.ts";
import type { Logger } from "../platform/log-event.ts";
import { infoOf } from "./bot-info.ts";
import type { CatalogEntry } from "./catalog-state.ts";
import type { KeptFigures } from "./kept-figures.ts";

/** Maximum number of bots that one log event names; "bot list" names all. */
const TOLD_MAX = 5;

/** Dependencies of {@link BotAdvice}. */
export interface BotAdviceDeps {
  readonly catalog: {
    all(): readonly CatalogEntry[];
    find(id: string): CatalogEntry | undefined;
  };
  /** The known figures of every bot, open or not. */
  readonly figures: () => ReadonlyMap<string, KnownFigures>;
  /** The embedder that a new bot of a language gets. */
  readonly embedderFor: (language: string) => string;
  readonly logger: Logger;
}

/** Advises operators on the settings of their bots, in the log: once a start for each bot, and again if the advice changes. */
export class BotAdvice {
  readonly #deps: BotAdviceDeps;
  /** The remedy that was logged last, by bot id. */
  readonly #told = new Map<string, string>();

  constructor(deps: BotAdviceDeps) {
    this.#deps = deps;
  }

  of(bot: BotInfo, writtenIn: string | undefined): readonly Advice[] {
    return adviceOf(bot, this.#deps.embedderFor, writtenIn);
  }

  /** Logs the advice on all bots, from known figures: no bot is opened. */
  tellAll(): void {
    const known = this.#deps.figures();
    const all = this.#deps.catalog.all().flatMap((entry) => this.#untold(entry, known.get(entry.id)?.writtenIn));
    for (const kind of KINDS) this.#log(kind, all);
  }

  /** Logs the advice on a bot, if it has changed. */
  tell(id: string, writtenIn: string | undefined): void {
    const entry = this.#deps.catalog.find(id);
    if (entry === undefined) return;
    const untold = this.#untold(entry, writtenIn);
    for (const kind of KINDS) this.#log(kind, untold);
  }

  /** What the job that reads the language of a bot's documents needs to remember the language, and to advise on it. */
  writtenIn(
    id: string,
    kept: Pick<KeptFigures, "closedOf" | "changed">,
  ): {
    readonly lastKnown: string | undefined;
    readonly onKnown: (writtenIn: string | undefined) => void;
  } {
    const onKnown = (writtenIn: string | undefined): void => {
      kept.changed();
      this.tell(id, writtenIn);
    };
    return { lastKnown: kept.closedOf(id)?.writtenIn, onKnown };
  }

  forget(id: string): void {
    this.#told.delete(id);
  }

  #untold(entry: CatalogEntry, writtenIn: string | undefined): Told[] {
    const [advice] = this.of(infoOf(entry), writtenIn);
    if (advice === undefined || this.#told.get(entry.id) === advice.mend) return [];
    this.#told.set(entry.id, advice.mend);
    return [{ id: entry.id, advice }];
  }

  #log(kind: AdviceKind, all: readonly Told[]): void {
    const told = all.filter(({ advice }) => advice.kind === kind);
    const [first] = told;
    if (first === undefined) return;
    const { level, what, mend } = SAID[kind];
    const count = told.length === 1 ? "1 bot" : `${told.length} bots`;
    const lines = told.slice(0, TOLD_MAX).map(({ advice }) => advice.mend);
    const more = told.length > TOLD_MAX ? `; "loredex bot list" has a line for each of the others` : "";
    const message = `${count}: ${what}. ${mend}: ${lines.join("; ")}${more}`;
    this.#deps.logger({ level, event: kind, message, ...(told.length === 1 ? { botId: first.id } : {}) });
  }
}

interface Told {
  readonly id: string;
  readonly advice: Advice;
}

const KINDS: readonly AdviceKind[] = ["wordsAlone", "otherLanguage"];

const SAID: Readonly<
  Record<AdviceKind, { readonly level: "info" | "warn"; readonly what: string; readonly mend: string }>
> = {
  wordsAlone: {
    level: "info",
    what: "found by words alone, although new bots of the same language get an embedder",
    mend: "Unless that was chosen",
  },
  otherLanguage: {
    level: "warn",
    what: "most of the newest documents are written in another language than the bot's, so that questions find less",
    mend: "To mend it",
  },
};
