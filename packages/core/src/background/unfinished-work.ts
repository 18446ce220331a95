import { EMBEDDING_RETRY_MS_MAX, EMBEDDING_RETRY_MS_MIN } from "../model/options.ts";

/** How far the work of a bot has come that was taken up. */
export type Progress =
  /** Nothing is left that can be done. */
  | "done"
  /** It goes on by itself: nobody has to wait for it. */
  | "goes on"
  /** It has to wait, or was let go. */
  | "stuck";

export interface UnfinishedWorkDeps {
  /** The name of a bot's embedder; undefined if nobody here can do its work. */
  readonly embedderOf: (id: string) => string | undefined;
  /** Opens a bot and has its work go on. Never rejects. */
  readonly takeUp: (id: string) => Promise<Progress>;
  /** Resolves after that many milliseconds, or when the signal is aborted. Keeps no process alive. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** An embedder that gets nowhere is given time, more each time. */
interface Pause {
  readonly tries: number;
  isOver: boolean;
}

/**
 * The work of bots that are not open: each is opened once more and finished, one after the other, though nobody asks for it. Where an
 * embedder gets nowhere its bots wait, and the others' go on.
 */
export class UnfinishedWork {
  readonly #deps: UnfinishedWorkDeps;
  /** In the order in which they are taken up. */
  readonly #bots = new Set<string>();
  /** By the embedder's name. */
  readonly #pauses = new Map<string, Pause>();
  readonly #closing = new AbortController();
  #running: Promise<void> | undefined;

  constructor(deps: UnfinishedWorkDeps) {
    this.#deps = deps;
  }

  /** A bot that is not open has work left. */
  add(id: string): void {
    this.#bots.add(id);
    this.#goOn();
  }

  /** Takes up nothing any more; resolves when nothing is being taken up. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
  }

  #goOn(): void {
    // Not within this call: a run that finds nothing to do just now would be over before it is kept here, and taken for running ever after.
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
    // What is left waits for an embedder: the end of its pause starts this again.
    this.#running = undefined;
  }

  /** The first whose embedder is not given time just now. */
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
    const delayMs = Math.min(EMBEDDING_RETRY_MS_MAX, EMBEDDING_RETRY_MS_MIN * 2 ** (tries - 1));
    void this.#deps.sleep(delayMs, this.#closing.signal).then(() => {
      pause.isOver = true;
      this.#goOn();
    });
  }
}
