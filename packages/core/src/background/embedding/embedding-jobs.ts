import type { Embedder } from "../../embedding/embedder.ts";
import { EMBEDDED_TEXTS_VERSION, textsInSlices } from "../../index/embedded-texts.ts";
import type { WindowRange } from "../../index/token-codes/code-directory.ts";
import type { StoredVectors } from "../../log/vector-table.ts";
import { sameSpace, type VectorSpace } from "../../model/records.ts";
import type { SearchableDocument } from "../../model/types.ts";
import type { TimeSlices } from "../../scheduling/time-slices.ts";
import type { TokenCodesJob } from "./token-codes-job.ts";

/** A document's newest version, if that is the one that searches see. */
export interface IndexedVersion {
  readonly version: number;
  readonly document: SearchableDocument;
  /** The number of its embedding windows. */
  readonly windows: number;
  /** Its stored vectors, of whatever space. */
  readonly vectors: StoredVectors | undefined;
}

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

export interface EmbeddingJobsDeps {
  readonly newest: (id: string) => IndexedVersion | undefined;
  /** Undefined if no token codes are kept. */
  readonly tokenCodes: Pick<TokenCodesJob, "gap"> | undefined;
  readonly slices: TimeSlices;
  /** Whether the work continues. */
  readonly isOpen: () => boolean;
  /** Called when no document lacks vectors any more. */
  readonly onAllVectors: () => void;
}

/**
 * Decides which embedding windows the embedder gets next: those of documents that lack vectors, in order. Only when there are none, those of documents
 * that have
 * vectors and lack token codes.
 */
export class EmbeddingJobs {
  readonly #deps: EmbeddingJobsDeps;
  readonly #lackVectors = new Set<string>();
  readonly #lackTokenCodes = new Set<string>();
  /** Documents whose texts the embedder refused, with the number of calls that were refused for the document alone. */
  readonly #refusals = new Map<string, number>();
  /**
   * Documents whose token codes are not tried again: `refused` until the next start, or until the document changes; `unkept` until other token codes can
   * be kept.
   */
  readonly #withoutTokenCodes = new Map<string, "refused" | "unkept">();
  /** The windows of a long document that needs several calls. */
  #cut: { readonly id: string; readonly version: number; readonly texts: readonly string[] } | undefined;

  constructor(deps: EmbeddingJobsDeps) {
    this.#deps = deps;
  }

  /** The number of documents that lack vectors. */
  get vectorsMissing(): number {
    return this.#lackVectors.size;
  }
  /** The number of documents that lack only token codes. */
  get tokenCodesMissing(): number {
    return this.#lackTokenCodes.size;
  }
  /** The number of documents whose token codes are not tried again for now. */
  get tokenCodesGivenUp(): number {
    return this.#withoutTokenCodes.size;
  }
  /** Whether no document waits. */
  get isEmpty(): boolean {
    return this.#lackVectors.size === 0 && this.#lackTokenCodes.size === 0;
  }

  /** Adds a document that may lack vectors. */
  add(id: string): void {
    this.#lackVectors.add(id);
    this.#lackTokenCodes.delete(id);
    this.#refusals.delete(id);
    this.#withoutTokenCodes.delete(id);
  }

  /** Adds a document that may lack only token codes. */
  addForTokenCodes(id: string): void {
    if (this.#withoutTokenCodes.has(id) || this.#lackVectors.has(id)) return;
    this.#lackTokenCodes.add(id);
  }

  /** Removes a deleted document. */
  remove(id: string): void {
    this.#withoutTokenCodes.delete(id);
    this.#lackTokenCodes.delete(id);
    this.#vectorsAreThere(id);
    this.#forgetCut();
  }

  /** Gives up the vectors of a document whose texts the embedder does not take. */
  giveUp(id: string): void {
    this.#vectorsAreThere(id);
  }

  /** Gives up the token codes of a document: they cannot be kept, or the embedder does not take its texts. */
  giveUpTokenCodes(id: string, why: "refused" | "unkept"): void {
    this.#withoutTokenCodes.set(id, why);
    this.#lackTokenCodes.delete(id);
    this.#refusals.delete(id);
    this.#forgetCut();
  }

  /** Tries the documents again whose token codes could not be kept. */
  takeUpUnkept(): void {
    for (const [id, why] of this.#withoutTokenCodes) {
      if (why !== "unkept") continue;
      this.#withoutTokenCodes.delete(id);
      this.addForTokenCodes(id);
    }
  }

  /** The windows for one call of the embedder, of one document or several. */
  async next(embedder: Embedder): Promise<Job[]> {
    const jobs = await this.#fill(this.#lackVectors, embedder);
    return jobs.length > 0 || this.#lackVectors.size > 0 ? jobs : this.#fill(this.#lackTokenCodes, embedder);
  }

  /** Notes that the embedder has encoded these jobs. */
  made(jobs: readonly Job[]): void {
    for (const { id } of jobs) this.#refusals.delete(id);
  }

  /** Notes that the embedder refused the texts of these jobs: their documents go to the end. Returns the jobs that were refused `most` times alone. */
  refused(jobs: readonly Job[], most: number): Job[] {
    return jobs.filter((job) => {
      const { id } = job;
      const waiting = job.lacksVectors ? this.#lackVectors : this.#lackTokenCodes;
      const refusals = (this.#refusals.get(id) ?? -1) + 1;
      if (refusals >= most) return true;
      if (waiting.delete(id)) {
        waiting.add(id);
        this.#refusals.set(id, refusals);
      }
      return false;
    });
  }

  async #fill(waiting: ReadonlySet<string>, embedder: Embedder): Promise<Job[]> {
    const { slices, isOpen } = this.#deps;
    const jobs: Job[] = [];
    let room = embedder.cost.textsPerCall;
    for (const id of waiting) {
      // One of the documents refused together is to blame: each is tried alone.
      const alone = this.#refusals.has(id);
      if (alone && jobs.length > 0) break;
      const job = await this.#jobOf(id, embedder, room, waiting === this.#lackVectors);
      if (!isOpen()) return [];
      if (job === undefined) {
        // Many documents may have become complete meanwhile.
        await slices.yieldIfOver();
        if (!isOpen()) return [];
        continue;
      }
      jobs.push(job);
      room -= job.texts.length;
      if (alone || room <= 0) break;
    }
    return jobs;
  }

  /** The next windows of a document. Undefined if it lacks none: then it leaves the queue. */
  async #jobOf(id: string, embedder: Embedder, room: number, lacksVectors: boolean): Promise<Job | undefined> {
    const newest = this.#deps.newest(id);
    const lacking =
      newest && (lacksVectors ? vectorsLacking(newest, embedder) : this.#tokenCodesLacking(id, newest, embedder));
    if (newest === undefined || lacking === undefined) {
      if (lacksVectors) this.#vectorsAreThere(id);
      this.#lackTokenCodes.delete(id);
      this.#forgetCut();
      if (lacksVectors && newest !== undefined && this.#tokenCodesLacking(id, newest, embedder))
        this.addForTokenCodes(id);
      return undefined;
    }
    const { version } = newest;
    const { from, to } = lacking;
    const texts = await this.#textsOf(id, newest);
    return { id, version, first: from, texts: texts.slice(from, Math.min(from + room, to)), lacksVectors };
  }

  #tokenCodesLacking(id: string, newest: IndexedVersion, embedder: Embedder): WindowRange | undefined {
    // If vectors are missing too, token codes come with them.
    if (embedder.tokens === undefined || vectorsLacking(newest, embedder) !== undefined) return undefined;
    return this.#deps.tokenCodes?.gap(id, newest.version, newest.windows);
  }

  async #textsOf(id: string, { version, document }: IndexedVersion): Promise<readonly string[]> {
    if (this.#cut?.id === id && this.#cut.version === version) return this.#cut.texts;
    const texts = (await this.#deps.slices.run(textsInSlices(document), this.#deps.isOpen)) ?? [];
    this.#cut = { id, version, texts };
    return texts;
  }

  /** Forgets the windows of a long document, if no document waits. */
  #forgetCut(): void {
    if (this.isEmpty) this.#cut = undefined;
  }

  #vectorsAreThere(id: string): void {
    this.#refusals.delete(id);
    if (!this.#lackVectors.delete(id)) return;
    this.#forgetCut();
    if (this.#lackVectors.size === 0) this.#deps.onAllVectors();
  }
}

/** The windows of a document that have no vectors of this embedder; undefined if all have. */
function vectorsLacking({ vectors, windows }: IndexedVersion, embedder: Embedder): WindowRange | undefined {
  const from = vectors !== undefined && isUsable(vectors, embedder) ? vectors.codes.length / embedder.dimensions : 0;
  return from >= windows ? undefined : { from, to: windows };
}

/** Whether stored vectors are of this space, and of embedding windows as this version cuts them. */
export function isUsable({ space, texts }: StoredVectors, wanted: VectorSpace): boolean {
  return texts === EMBEDDED_TEXTS_VERSION && sameSpace(space, wanted);
}
