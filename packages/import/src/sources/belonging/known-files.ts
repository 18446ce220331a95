import type { ArgumentPlace, Bot, OwnedDocument, SourceInfo } from "@loredex/core";
import { BroughtFiles, type Changes, type KnownDocument } from "./brought-files.ts";

/**
 * Which files have brought what, by their real paths: learnt once, and right after each import that says what it has changed. Imports that run at the
 * same time may share it: while it learns, what it knew stands.
 */
export class KnownFiles {
  readonly #bot: Pick<Bot, "listSources" | "ownedDocuments">;
  #brought = new BroughtFiles();
  #sources: readonly SourceInfo[] = [];
  #isLearnt = false;
  #learning: Promise<void> | undefined;
  /** What imports have changed since it began to learn. */
  #meanwhile: Changes[] = [];

  constructor(bot: Pick<Bot, "listSources" | "ownedDocuments">) {
    this.#bot = bot;
  }

  /** Learns what all sources have brought, unless that is known: a link may lead from any of them to any file. */
  async learn(): Promise<void> {
    if (this.#learning === undefined && this.#isLearnt) return;
    this.#learning ??= this.#learnAnew().finally(() => {
      this.#learning = undefined;
    });
    await this.#learning;
  }

  /**
   * For who goes on with what is known a while later: takes what is said of the sources now, and learns all again only where somebody else has
   * changed what they have.
   * @param changing names of sources that imports are changing, which tell of it when they end
   */
  async update(changing: ReadonlySet<string>): Promise<void> {
    if (this.#isLearnt && this.#learning === undefined) {
      const sources = await this.#bot.listSources();
      if (this.#isLearnt && this.#isAsKnown(sources, changing)) this.#sources = sources;
      else this.forget();
    }
    await this.learn();
  }

  /** What is known may not be so any more. */
  forget(): void {
    this.#isLearnt = false;
  }

  /** What an import has changed, when it has come to its end. It told the bot of no other argument. */
  change(changes: Changes): void {
    this.#brought.change(changes);
    if (this.#learning !== undefined) this.#meanwhile.push(changes);
  }

  /** All sources, with as many documents as they have. */
  get sources(): readonly SourceInfo[] {
    return this.#sources.map((source) => ({ ...source, documents: this.of(source.name).length }));
  }

  /** What a source has brought, by now. */
  of(source: string): readonly OwnedDocument[] {
    return this.#brought.of(source);
  }

  /** What a source has brought under this id. */
  withId(source: string, id: string): OwnedDocument | undefined {
    return this.#brought.withId(source, id);
  }

  at(path: string): readonly KnownDocument[] {
    return this.#brought.at(path);
  }

  /** Whether the name is only that of a place. */
  isOfPath(source: string): boolean {
    return this.#brought.isOfPath(source);
  }

  /** Where the file or page of a document lies, or lay; undefined for what neither has brought. */
  fileOf(document: OwnedDocument): string | undefined {
    return this.#brought.fileOf(document);
  }

  async #learnAnew(): Promise<void> {
    this.#meanwhile = [];
    this.#isLearnt = true;
    try {
      const sources = await this.#bot.listSources();
      const brought = new BroughtFiles(sources, await this.#bot.ownedDocuments(sources.map(({ name }) => name)));
      // Some of it may have been asked for before this, and some after.
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

/** What decides on where the documents of a source are. */
function placesIn({ name, arguments: all, takenOverBy }: SourceInfo): string {
  const places = all.map((argument: ArgumentPlace) => [argument.name, argument.kind, argument.path, argument.ids]);
  return JSON.stringify([name, takenOverBy ?? "", places]);
}
