import type { ArgumentPlace, Bot, OwnedDocument, SourceInfo } from "@loredex/core";
import { BroughtFiles, type Changes, type KnownDocument } from "./brought-files.ts";

/**
 * Knows the documents of each file, by real path. It is loaded once, and each import reports its changes to it. Imports that run at the same time may share it:
 * while it loads, the earlier state stays valid.
 */
export class KnownFiles {
  readonly #bot: Pick<Bot, "listSources" | "ownedDocuments">;
  #brought = new BroughtFiles();
  #sources: readonly SourceInfo[] = [];
  #isLearnt = false;
  #learning: Promise<void> | undefined;
  /** Changes of imports since the load began. */
  #meanwhile: Changes[] = [];

  constructor(bot: Pick<Bot, "listSources" | "ownedDocuments">) {
    this.#bot = bot;
  }

  /** Loads the documents of all sources, unless they are known: a link may lead from any of them to any file. */
  async learn(): Promise<void> {
    if (this.#learning === undefined && this.#isLearnt) return;
    this.#learning ??= this.#learnAnew().finally(() => {
      this.#learning = undefined;
    });
    await this.#learning;
  }

  /**
   * For callers that use the state again later: refreshes the list of sources, and loads everything again only if another program has changed their documents.
   * @param changing names of sources that running imports change; these report the changes at their end
   */
  async update(changing: ReadonlySet<string>): Promise<void> {
    if (this.#isLearnt && this.#learning === undefined) {
      const sources = await this.#bot.listSources();
      if (this.#isLearnt && this.#isAsKnown(sources, changing)) this.#sources = sources;
      else this.forget();
    }
    await this.learn();
  }

  /** Marks the state as possibly outdated. */
  forget(): void {
    this.#isLearnt = false;
  }

  /** Takes the changes of an import that has ended. That import reported no other argument to the bot. */
  change(changes: Changes): void {
    this.#brought.change(changes);
    if (this.#learning !== undefined) this.#meanwhile.push(changes);
  }

  /** All sources, with their numbers of documents. */
  get sources(): readonly SourceInfo[] {
    return this.#sources.map((source) => ({ ...source, documents: this.of(source.name).length }));
  }

  /** The present documents of a source. */
  of(source: string): readonly OwnedDocument[] {
    return this.#brought.of(source);
  }

  /** The document of a source with this id. */
  withId(source: string, id: string): OwnedDocument | undefined {
    return this.#brought.withId(source, id);
  }

  at(path: string): readonly KnownDocument[] {
    return this.#brought.at(path);
  }

  /** True if the name of the source is only that of a place. */
  isOfPath(source: string): boolean {
    return this.#brought.isOfPath(source);
  }

  /** Returns the present or former place of a document's file or page; undefined if it comes from neither. */
  fileOf(document: OwnedDocument): string | undefined {
    return this.#brought.fileOf(document);
  }

  async #learnAnew(): Promise<void> {
    this.#meanwhile = [];
    this.#isLearnt = true;
    try {
      const sources = await this.#bot.listSources();
      const brought = new BroughtFiles(sources, await this.#bot.ownedDocuments(sources.map(({ name }) => name)));
      // Some of the data may have been asked for before these changes, and some after.
      for (const changes of this.#meanwhile) brought.change(changes);
      [this.#brought, this.#sources] = [brought, sources];
    } catch (error) {
      this.forget();
      throw error;
    }
  }

  #isAsKnown(sources: readonly SourceInfo[], changing: ReadonlySet<string>): boolean {
    const isSame = (now: SourceInfo, i: number): boolean => {
      const before = this.#sources[i];
      if (before === undefined || placesIn(before) !== placesIn(now)) return false;
      return changing.has(now.name) || now.documents === this.of(now.name).length;
    };
    return sources.length === this.#sources.length && sources.every(isSame);
  }
}

/** The facts that determine the places of a source's documents. */
function placesIn({ name, arguments: all, takenOverBy }: SourceInfo): string {
  const places = all.map((argument: ArgumentPlace) => [argument.name, argument.kind, argument.path, argument.ids]);
  return JSON.stringify([name, takenOverBy ?? "", places]);
}
