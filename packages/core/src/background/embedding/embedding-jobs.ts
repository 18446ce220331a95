import type { Embedder } from "../../embedding/embedder.ts";
import { textsInSlices } from "../../index/embedded-texts.ts";
import type { WindowRange } from "../../index/token-codes/code-directory.ts";
import type { Clock } from "../../platform/clock.ts";
import { TimeSlices } from "../../scheduling/time-slices.ts";
import { type IndexedVersion, windowsWithout } from "./missing-vectors.ts";
import type { TokenCodesJob } from "./token-codes-job.ts";

/** Some embedding windows of one document, on their way to the embedder. */
export interface Job {
  readonly id: string;
  readonly version: number;
  /** Number of the first window in the document. */
  readonly first: number;
  readonly texts: readonly string[];
  /** Whether the windows lack vectors; otherwise only token codes are missing. */
  readonly lacksVectors: boolean;
}

/** The documents of each state, in order. A document that lacks nothing is in none: it is complete. */
const noDocuments = () => ({
  /** Lack vectors. The token codes that came with some of them could not be kept. */
  vectorsUnkept: new Set<string>(),
  vectors: new Set<string>(),
  /** Have all vectors and lack token codes. */
  tokenCodes: new Set<string>(),
  /** Lack token codes, which could not be kept: tried again when others can be. */
  unkept: new Set<string>(),
  /** The embedder refused the texts, for vectors or for token codes: tried again after the next start, or when the document is written. */
  givenUp: new Set<string>(),
  refused: new Set<string>(),
});
type DocumentState = keyof ReturnType<typeof noDocuments>;

type Moves = DocumentState | "complete" | { readonly [S in DocumentState | "complete"]?: DocumentState | "complete" };

/** For each event: the next state from any state, or from the states that the event changes. */
export const DOCUMENT_MOVES = {
  /** A version is visible that may lack vectors. */
  added: "vectors",
  removed: "complete",
  /** Token codes may be missing: lost, or not made with the vectors. */
  lacksTokenCodes: { complete: "tokenCodes" },
  /** The document has everything that it waited for. */
  made: { vectors: "complete", vectorsUnkept: "unkept", tokenCodes: "complete" },
  givenUp: { vectors: "givenUp", vectorsUnkept: "givenUp", tokenCodes: "refused" },
  /** The token codes of some windows could not be kept. */
  unkept: { vectors: "vectorsUnkept", tokenCodes: "unkept" },
  /** Token codes of others could be kept. */
  keptAgain: { vectorsUnkept: "vectors", unkept: "tokenCodes" },
} satisfies Readonly<Record<string, Moves>>;

export interface EmbeddingJobsDeps {
  readonly newest: (id: string) => IndexedVersion | undefined;
  /** Undefined if no token codes are kept. */
  readonly tokenCodes: Pick<TokenCodesJob, "gap"> | undefined;
  /** Called with true when documents lack vectors, and with false when none does any more. */
  readonly onUnfinished: (unfinished: boolean) => void;
  readonly clock: Clock;
}

/** Knows what each document lacks, and decides which embedding windows the embedder gets next: token codes wait until no vectors are missing. */
export class EmbeddingJobs {
  readonly #deps: EmbeddingJobsDeps;
  readonly #slices: TimeSlices;
  readonly #states = new Map<string, DocumentState>();
  readonly #in = noDocuments();
  /** For documents whose texts the embedder refused: how often it refused them alone. */
  readonly #refusals = new Map<string, number>();
  /** The windows of a long document that needs several calls. */
  #cut: { readonly id: string; readonly version: number; readonly texts: readonly string[] } | undefined;

  constructor(deps: EmbeddingJobsDeps) {
    this.#deps = deps;
    this.#slices = new TimeSlices(deps.clock);
  }

  /** The number of documents that lack vectors and will get them. */
  get vectorsMissing(): number {
    return this.#in.vectors.size + this.#in.vectorsUnkept.size;
  }
  /** The number of documents that lack only token codes, and will get them. */
  get tokenCodesMissing(): number {
    return this.#in.tokenCodes.size;
  }
  /** The number of documents that lack token codes, and get none for now. Those that lack vectors as well are counted if these were given up. */
  get tokenCodesGivenUp(): number {
    return this.#in.refused.size + this.#in.unkept.size + this.#in.givenUp.size;
  }
  /** The number of documents whose vectors are tried again after the next start. */
  get vectorsGivenUp(): number {
    return this.#in.givenUp.size;
  }
  /** Whether a document lacks vectors. One that was given up is tried again after the next start. */
  get #isUnfinished(): boolean {
    return this.vectorsMissing + this.vectorsGivenUp > 0;
  }
  /** Whether no document waits. */
  get isEmpty(): boolean {
    return this.vectorsMissing === 0 && this.tokenCodesMissing === 0;
  }

  /** Moves a document to its next state. */
  move(id: string, event: keyof typeof DOCUMENT_MOVES): void {
    const from = this.#states.get(id);
    const moves: Moves = DOCUMENT_MOVES[event];
    const to = typeof moves === "string" ? moves : moves[from ?? "complete"];
    if (to === undefined) return;
    const wasUnfinished = this.#isUnfinished;
    this.#refusals.delete(id);
    if (to !== from && from !== undefined) this.#in[from].delete(id);
    if (to === "complete") this.#states.delete(id);
    else {
      this.#states.set(id, to);
      this.#in[to].add(id);
    }
    if (this.isEmpty) this.#cut = undefined;
    const isUnfinished = this.#isUnfinished;
    if (isUnfinished !== wasUnfinished) this.#deps.onUnfinished(isUnfinished);
  }

  /** Tries the documents again whose token codes could not be kept. */
  takeUpUnkept(): void {
    for (const state of ["unkept", "vectorsUnkept"] as const)
      for (const id of this.#in[state]) this.move(id, "keptAgain");
  }

  /** The windows for one call of the embedder, of one document or several. None if no document waits, or if the signal aborts. */
  async next(embedder: Embedder, signal: AbortSignal): Promise<Job[]> {
    const jobs: Job[] = [];
    let room = embedder.cost.textsPerCall;
    for (const id of this.#waiting(jobs)) {
      // One of the documents refused together is to blame: each is tried alone.
      const alone = this.#refusals.has(id);
      if (alone && jobs.length > 0) break;
      const job = await this.#jobOf(id, embedder, room, signal);
      // Many documents may have become complete meanwhile.
      if (job === undefined) await this.#slices.yieldIfOver();
      if (signal.aborted) return [];
      if (job === undefined) continue;
      jobs.push(job);
      room -= job.texts.length;
      if (alone || room <= 0) break;
    }
    return jobs;
  }

  /** Notes that the embedder has encoded these jobs. */
  encoded(jobs: readonly Job[]): void {
    for (const { id } of jobs) this.#refusals.delete(id);
  }

  /** Notes that the embedder refused the texts of these jobs: their documents go to the end. Returns the jobs that were refused `most` times alone. */
  refused(jobs: readonly Job[], most: number): Job[] {
    return jobs.filter(({ id, lacksVectors }) => {
      const state = this.#states.get(id);
      // It may have changed meanwhile.
      if (state === undefined || lacksVectors !== (state !== "tokenCodes")) return false;
      const before = this.#refusals.get(id);
      // If others were refused with it, one of them may be to blame.
      const alone = (before ?? 0) + (before === undefined && jobs.length > 1 ? 0 : 1);
      if (alone >= most) return true;
      this.#in[state].delete(id);
      this.#in[state].add(id);
      this.#refusals.set(id, alone);
      return false;
    });
  }

  /** The documents that wait. Documents that lack only token codes are not encoded in a call with others. */
  *#waiting(jobs: readonly Job[]): Generator<string, void> {
    yield* this.#in.vectorsUnkept;
    yield* this.#in.vectors;
    if (jobs.length === 0 && this.vectorsMissing === 0) yield* this.#in.tokenCodes;
  }

  /** The next windows of a document that waits. Undefined if it lacks none: then it waits no more. */
  async #jobOf(id: string, embedder: Embedder, room: number, signal: AbortSignal): Promise<Job | undefined> {
    const lacksVectors = this.#states.get(id) !== "tokenCodes";
    const newest = this.#deps.newest(id);
    const lacking = newest && (lacksVectors ? windowsWithout(newest, embedder) : this.#gap(id, newest, embedder));
    if (newest === undefined || lacking === undefined) {
      this.move(id, "made");
      if (newest !== undefined && this.#gap(id, newest, embedder)) this.move(id, "lacksTokenCodes");
      return undefined;
    }
    const { version } = newest;
    const { from, to } = lacking;
    const texts = await this.#textsOf(id, newest, signal);
    return texts && { id, version, first: from, texts: texts.slice(from, Math.min(from + room, to)), lacksVectors };
  }

  /** The first contiguous windows that lack token codes, of a document that has all vectors: otherwise token codes come with these. */
  #gap(id: string, newest: IndexedVersion, embedder: Embedder): WindowRange | undefined {
    if (embedder.tokens === undefined || windowsWithout(newest, embedder) !== undefined) return undefined;
    return this.#deps.tokenCodes?.gap(id, newest.version, newest.windows);
  }

  /** The texts of all windows; undefined if the signal aborts. */
  async #textsOf(
    id: string,
    { version, document }: IndexedVersion,
    signal: AbortSignal,
  ): Promise<readonly string[] | undefined> {
    if (this.#cut?.id === id && this.#cut.version === version) return this.#cut.texts;
    const texts = await this.#slices.run(textsInSlices(document), () => !signal.aborted);
    this.#cut = texts && { id, version, texts };
    return texts;
  }
}
