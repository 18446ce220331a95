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
  /** How many texts it has that get a vector each. */
  readonly windows: number;
  /** Its vectors so far, of whatever space. */
  readonly vectors: StoredVectors | undefined;
}

/** Some texts of one document, on their way to the embedder. */
export interface Job {
  readonly id: string;
  readonly version: number;
  /** Place of the first text among the document's. */
  readonly first: number;
  readonly texts: readonly string[];
  /** Whether their vectors are wanted; otherwise they are there, and the token codes are not. */
  readonly lacksVectors: boolean;
}

export interface EmbeddingJobsDeps {
  readonly newest: (id: string) => IndexedVersion | undefined;
  /** Undefined where no token codes are kept. */
  readonly tokenCodes: Pick<TokenCodesJob, "gap"> | undefined;
  readonly turns: TimeSlices;
  /** Whether work goes on. */
  readonly isOpen: () => boolean;
  /** Told when none lacks vectors any more. */
  readonly onAllVectors: () => void;
}

/**
 * Which texts the embedder is given next: those of documents that lack vectors, in order, and only when there are none, those of documents whose
 * vectors are there without the token codes.
 */
export class EmbeddingJobs {
  readonly #deps: EmbeddingJobsDeps;
  readonly #lackVectors = new Set<string>();
  readonly #lackTokenCodes = new Set<string>();
  /** Documents of a call that was refused for its texts, and how often each was refused alone. */
  readonly #refusals = new Map<string, number>();
  /** Documents whose token codes are not tried again before the next start, or before they change; those that were not kept, before others are. */
  readonly #withoutTokenCodes = new Map<string, "refused" | "unkept">();
  /** The texts of a long document that comes back for its next ones. */
  #cut: { readonly id: string; readonly version: number; readonly texts: readonly string[] } | undefined;

  constructor(deps: EmbeddingJobsDeps) {
    this.#deps = deps;
  }

  /** Documents that lack vectors. */
  get vectorsMissing(): number {
    return this.#lackVectors.size;
  }
  /** Documents that lack the token codes alone. */
  get tokenCodesMissing(): number {
    return this.#lackTokenCodes.size;
  }
  /** Documents whose token codes are not tried again for now. */
  get tokenCodesGivenUp(): number {
    return this.#withoutTokenCodes.size;
  }
  get isEmpty(): boolean {
    return this.#lackVectors.size === 0 && this.#lackTokenCodes.size === 0;
  }

  /** A document that may lack vectors. */
  add(id: string): void {
    this.#lackVectors.add(id);
    this.#lackTokenCodes.delete(id);
    this.#refusals.delete(id);
    this.#withoutTokenCodes.delete(id);
  }

  /** A document that may lack the token codes alone. */
  addForTokenCodes(id: string): void {
    if (this.#withoutTokenCodes.has(id) || this.#lackVectors.has(id)) return;
    this.#lackTokenCodes.add(id);
  }

  /** It is gone. */
  remove(id: string): void {
    this.#withoutTokenCodes.delete(id);
    this.#lackTokenCodes.delete(id);
    this.#vectorsAreThere(id);
    this.#forgetCut();
  }

  /** Its vectors are not made any more: the embedder does not take its texts. */
  giveUp(id: string): void {
    this.#vectorsAreThere(id);
  }

  /** Its token codes are not made any more: they cannot be kept, or the embedder does not take its texts. */
  giveUpTokenCodes(id: string, why: "refused" | "unkept"): void {
    this.#withoutTokenCodes.set(id, why);
    this.#lackTokenCodes.delete(id);
    this.#refusals.delete(id);
    this.#forgetCut();
  }

  /** Token codes can be kept again: those that could not be are tried once more. */
  takeUpUnkept(): void {
    for (const [id, why] of this.#withoutTokenCodes) {
      if (why !== "unkept") continue;
      this.#withoutTokenCodes.delete(id);
      this.addForTokenCodes(id);
    }
  }

  /** As many texts as one call should carry, of one document or several. */
  async next(embedder: Embedder): Promise<Job[]> {
    const jobs = await this.#fill(this.#lackVectors, embedder);
    return jobs.length > 0 || this.#lackVectors.size > 0 ? jobs : this.#fill(this.#lackTokenCodes, embedder);
  }

  /** What the embedder was given came to its end. */
  made(jobs: readonly Job[]): void {
    for (const { id } of jobs) this.#refusals.delete(id);
  }

  /** The embedder did not take the texts of these jobs: their documents go to the end. Returns those that were refused `most` times alone. */
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
    const { turns, isOpen } = this.#deps;
    const jobs: Job[] = [];
    let room = embedder.cost.textsPerCall;
    for (const id of waiting) {
      // One of those that were refused together is to blame: each is tried alone.
      const alone = this.#refusals.has(id);
      if (alone && jobs.length > 0) break;
      const job = await this.#jobOf(id, embedder, room, waiting === this.#lackVectors);
      if (!isOpen()) return [];
      if (job === undefined) {
        // There may be very many that lack nothing any more.
        await turns.restIfOver();
        if (!isOpen()) return [];
        continue;
      }
      jobs.push(job);
      room -= job.texts.length;
      if (alone || room <= 0) break;
    }
    return jobs;
  }

  /** The next texts of a document; undefined if it lacks none: then it does not wait any more. */
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
    // Where vectors are missing too, token codes come with them.
    if (embedder.tokens === undefined || vectorsLacking(newest, embedder) !== undefined) return undefined;
    return this.#deps.tokenCodes?.gap(id, newest.version, newest.windows);
  }

  async #textsOf(id: string, { version, document }: IndexedVersion): Promise<readonly string[]> {
    if (this.#cut?.id === id && this.#cut.version === version) return this.#cut.texts;
    const texts = (await this.#deps.turns.take(textsInSlices(document), this.#deps.isOpen)) ?? [];
    this.#cut = { id, version, texts };
    return texts;
  }

  /** Nothing waits any more that could come back for its next texts. */
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

/** The texts of a document that have no vectors of this embedder; undefined if all have. */
function vectorsLacking({ vectors, windows }: IndexedVersion, embedder: Embedder): WindowRange | undefined {
  const from = vectors !== undefined && isUsable(vectors, embedder) ? vectors.codes.length / embedder.dimensions : 0;
  return from >= windows ? undefined : { from, to: windows };
}

/** Whether vectors of a document are of this space and of the texts as they are made now. */
export function isUsable({ space, texts }: StoredVectors, wanted: VectorSpace): boolean {
  return texts === EMBEDDED_TEXTS_VERSION && sameSpace(space, wanted);
}
