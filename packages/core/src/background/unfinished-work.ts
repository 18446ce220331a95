import { embeddingRetryMs } from "../model/retry-ms.ts";
import type { Upgrade } from "../model/types.ts";

/** The outcome of taking up a bot's work. */
export type Progress =
  /** No more can be done. */
  | "done"
  /** The work continues by itself: nobody has to wait for it. */
  | "continues"
  /** The work has to wait, or the bot was evicted. */
  | "stuck";

export interface UnfinishedWorkDeps {
  /** The name of a bot's embedder; undefined if this engine cannot do its work. */
  readonly embedderOf: (id: string) => string | undefined;
  /** Opens a bot and starts its work. Never rejects. */
  readonly takeUp: (id: string) => Promise<Progress>;
  /** Resolves after `ms` milliseconds, or when the signal is aborted. Keeps no process alive. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** The pause of an embedder that makes no progress: longer with each try. */
interface Pause {
  readonly tries: number;
  isOver: boolean;
}

/**
 * The work of bots that are not open: each bot is opened and finished in the background, one after the other. While an
 * embedder makes no progress, its bots wait, and those of other embedders continue.
 */
export class UnfinishedWork {
  readonly #deps: UnfinishedWorkDeps;
  /** The ids of bots with work, in the order in which they are taken up. */
  readonly #bots = new Set<string>();
  /** The pauses, by the embedder's name. */
  readonly #pauses = new Map<string, Pause>();
  readonly #closing = new AbortController();
  #running: Promise<void> | undefined;

  constructor(deps: UnfinishedWorkDeps) {
    this.#deps = deps;
  }

  /** Adds a bot that has work left. */
  add(id: string): void {
    this.#bots.add(id);
    this.#start();
  }

  /** Takes up no bot any more; resolves when none is being taken up. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
  }

  #start(): void {
    // Not within this call: a run that ends at once would end before it is assigned here, and count as running for ever.
    if (!this.#closing.signal.aborted) this.#running ??= Promise.resolve().then(() => this.#run());
  }

  async #run(): Promise<void> {
    for (let id = this.#next(); id !== undefined; id = this.#next()) {
      this.#bots.delete(id);
      const embedder = this.#deps.embedderOf(id);
      if (embedder === undefined) continue;
      const progress = await this.#deps.takeUp(id);
      if (progress === "done") this.#pauses.delete(embedder);
      else if (progress === "stuck") this.#pause(embedder);
    }
    // The remaining bots wait for an embedder: the end of its pause starts the next run.
    this.#running = undefined;
  }

  /** The first bot whose embedder has no pause. */
  #next(): string | undefined {
    if (this.#closing.signal.aborted) return undefined;
    for (const id of this.#bots) {
      const pause = this.#pauses.get(this.#deps.embedderOf(id) ?? "");
      if (pause === undefined || pause.isOver) return id;
    }
    return undefined;
  }

  #pause(embedder: string): void {
    const tries = (this.#pauses.get(embedder)?.tries ?? 0) + 1;
    const pause: Pause = { tries, isOver: false };
    this.#pauses.set(embedder, pause);
    const delayMs = embeddingRetryMs(tries - 1);
    void this.#deps.sleep(delayMs, this.#closing.signal).then(() => {
      pause.isOver = true;
      this.#start();
    });
  }
}

/** The longest time that a bot stays open for a caller that waits for its vectors: a stuck embedder must not keep others out. Milliseconds. */
const UPGRADING_MS_MAX = 60_000;

/** Resolves with true when the bot's embedder fails; with false when the bot is upgraded, or after {@link UPGRADING_MS_MAX}. */
async function isFailing(
  bot: { readonly workOff: () => Promise<boolean> },
  upgraded: Promise<unknown>,
  sleep: UnfinishedWorkDeps["sleep"],
): Promise<boolean> {
  const over = new AbortController();
  const failing = bot.workOff().then((isDone) => (isDone ? upgraded.then(() => false) : true));
  const late = sleep(UPGRADING_MS_MAX, over.signal).then(() => false);
  try {
    return await Promise.race([failing, late]);
  } finally {
    over.abort();
  }
}

/** An open bot, as {@link upgradeInTheEnd} uses it. */
interface UpgradableBot {
  readonly wasEvicted: boolean;
  whenSearchable(): Promise<void>;
  whenUpgraded(): Promise<Upgrade>;
  workOff(): Promise<boolean>;
}

/** How {@link upgradeInTheEnd} gets its bot, and waits. */
export interface UpgradeDeps {
  /** Opens the bot where it is not open, and keeps it open while `work` runs. */
  readonly use: <Result>(work: (bot: UpgradableBot) => Promise<Result>) => Promise<Result>;
  readonly sleep: UnfinishedWorkDeps["sleep"];
  /** Aborts when no bot is opened any more. */
  readonly closing: AbortSignal;
}

/** Resolves when a bot has all the vectors that it will get for now, however often it is evicted. See `BotsInUse.whenUpgraded`. */
export async function upgradeInTheEnd({ use, sleep, closing }: UpgradeDeps): Promise<Upgrade> {
  for (let failures = 0; ; ) {
    const { upgraded, fails } = await use(async (bot) => {
      await bot.whenSearchable();
      const upgraded = bot.whenUpgraded().then((upgrade) => (bot.wasEvicted ? undefined : upgrade));
      // Awaited below, unless the bot is closed meanwhile.
      upgraded.catch(() => undefined);
      return { upgraded, fails: await isFailing(bot, upgraded, sleep) };
    });
    const upgrade = await upgraded;
    if (upgrade !== undefined) return upgrade;
    failures = fails ? failures + 1 : 0;
    // Without a pause, the bots of this embedder would only evict each other.
    if (failures > 0) await sleep(embeddingRetryMs(failures - 1), closing);
  }
}
