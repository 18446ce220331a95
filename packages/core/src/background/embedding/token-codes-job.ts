import type { Embedder } from "../../embedding/embedder.ts";
import { tokenCodesLabel } from "../../embedding/token-codes.ts";
import { EMBEDDED_TEXTS_VERSION } from "../../index/embedded-texts.ts";
import type { SearchIndex } from "../../index/search-index.ts";
import type { WindowRange } from "../../index/token-codes/code-directory.ts";
import type { KeptTokenCodes } from "../../index/token-codes/kept-codes.ts";
import { reasonOf } from "../../model/errors.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Logger } from "../../platform/log-event.ts";
import { TimeSlices } from "../../scheduling/time-slices.ts";

export interface TokenCodesJobDeps {
  readonly kept: KeptTokenCodes;
  readonly index: SearchIndex;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly botId: string;
}

/** The most embedding windows of a block. */
const BLOCK_PARTS = 128;

/** The token codes of some windows of a document's version, as an embedder has made them. */
export interface MadeTokenCodes {
  readonly id: string;
  readonly version: number;
  /** Number of the first window in the document. */
  readonly first: number;
  readonly tokenCodes: readonly Uint8Array[];
}

/** Keeps token codes of the versions that searches see, and of no others. A failure is logged, and stops nothing else. */
export class TokenCodesJob {
  readonly #deps: TokenCodesJobDeps;
  #isUnusable = false;
  #isTold = false;

  constructor(deps: TokenCodesJobDeps) {
    this.#deps = deps;
  }

  /** Whether token codes are kept. */
  get isOpen(): boolean {
    return this.#deps.kept.isOpen;
  }

  /** Whether the embedder makes token codes, and the kept ones could not be opened. */
  get isUnusable(): boolean {
    return this.#isUnusable;
  }

  /** Whether {@link open} waits for the end of a purge. */
  get isPurging(): boolean {
    return this.#deps.kept.isPurging;
  }

  /** Opens the kept token codes of this embedder. If the embedder makes none, deletes the kept ones. Never rejects. */
  async open(embedder: Embedder): Promise<void> {
    const { kept, index, clock } = this.#deps;
    this.#isUnusable = false;
    const label = tokenCodesLabel(embedder, EMBEDDED_TEXTS_VERSION);
    if (label === undefined) {
      // A file that cannot be deleted is deleted at another start.
      await kept.clear().catch(() => undefined);
      return;
    }
    try {
      const slices = new TimeSlices(clock);
      const isWanted = (document: string, of: number): boolean => index.versionOf(document) === of;
      const isReplaced = (document: string, of: number): boolean => (index.versionOf(document) ?? 0) > of;
      const dropped = await kept.open(label, isWanted, () => slices.yieldIfOver(), isReplaced);
      const message = `${dropped} bytes of token codes are not as they were written, as after a crash: what they were of is found without reranking until its token codes are made again.`;
      if (dropped > 0) this.#say("info", "tokenCodesDropped", message);
    } catch (error) {
      this.#isUnusable = true;
      const message = `The token codes can't be opened: nothing is found by reranking before the bot is opened again. ${reasonOf(error)}`;
      this.#say("warn", "tokenCodesNotOpened", message);
    }
  }

  /** Takes over the token codes that other nodes have made. @throws LoredexError `UNREACHABLE` */
  async refresh(): Promise<void> {
    const slices = new TimeSlices(this.#deps.clock);
    await this.#deps.kept.refresh(() => slices.yieldIfOver());
  }

  /** The first contiguous windows of a version that lack token codes; undefined if none does, or none can be kept. */
  gap(id: string, version: number, windows: number): WindowRange | undefined {
    return this.isOpen ? this.#deps.kept.gap(id, version, windows) : undefined;
  }

  /** Keeps new token codes, if searches still see their versions. Returns the ids of documents whose token codes could not be kept. Never rejects. */
  async keep(made: readonly MadeTokenCodes[]): Promise<readonly string[]> {
    const { kept } = this.#deps;
    const failed: string[] = [];
    for (const { id, version, first, tokenCodes } of made) {
      try {
        for (let at = 0; at < tokenCodes.length; at += BLOCK_PARTS) {
          await kept.append(id, version, first + at, tokenCodes.slice(at, at + BLOCK_PARTS));
        }
        if (this.#isTold) this.#say("info", "tokenCodesKept", "The token codes are kept again.");
        this.#isTold = false;
      } catch (error) {
        failed.push(id);
        const message = `The token codes can't be kept: what was written lately is found without reranking. ${reasonOf(error)}`;
        if (!this.#isTold) this.#say("warn", "tokenCodesNotKept", message);
        this.#isTold = true;
      }
    }
    return failed;
  }

  /** Drops the token codes of versions that searches do not see any more. */
  leaveOld(id: string): void {
    const { kept, index } = this.#deps;
    kept.leave(id, index.versionOf(id));
  }

  #say(level: "info" | "warn", event: string, message: string): void {
    const { logger, botId } = this.#deps;
    logger({ level, event, message, botId });
  }
}
