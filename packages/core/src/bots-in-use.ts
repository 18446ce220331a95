import type { IdMaker } from "./article/identifier.ts";

import { infoOf } from "./catalog/bot-info.ts";
import type { CatalogEntry } from "./catalog/catalog-state.ts";
import { quarantineEvent } from "./catalog/quarantine.ts";
import { storeName } from "./catalog/store-names.ts";
import type { UnfinishedBots } from "./catalog/unfinished-bots.ts";
import { LoredexError } from "./domain/errors.ts";
import type { Embedders } from "./embedding/embedders.ts";
import { OpenBot } from "./open-bot.ts";
import type { Clock } from "./runtime/clock.ts";
import { closeEach } from "./runtime/close-each.ts";
import type { Logger } from "./runtime/log-event.ts";
import { systemSleep } from "./runtime/system.ts";
import type { Storage } from "./storage/store.ts";
import { analyzerOf } from "./text/languages.ts";
import { loadHnsw } from "./vector/hnsw-index.ts";

export interface BotsInUseParts {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly ids: IdMaker;
  readonly logger: Logger;
  readonly embedders: Embedders;
  readonly unfinished: UnfinishedBots;
  readonly background: boolean;
  readonly graphVectorsMin: number;
  /** Where the files of graphs may lie for a moment; undefined if none are kept. */
  readonly temporaryDirectory: string | undefined;
  /** What the catalog says of a bot now; undefined if it has gone. */
  readonly known: (id: string) => CatalogEntry | undefined;
  /** The same; throws if it has gone. */
  readonly entry: (id: string) => CatalogEntry;
}

/** The bots that are open, or being opened: each once, on its first use, until it is closed. */
export class BotsInUse {
  readonly #parts: BotsInUseParts;
  readonly #bots = new Map<string, Promise<OpenBot>>();
  #graphs: ReturnType<typeof loadHnsw> | undefined;
  readonly #discarding = new Map<string, Promise<void>>();
  #isClosing = false;

  constructor(parts: BotsInUseParts) {
    this.#parts = parts;
  }

  /** The open bot. @throws what its store is refused for */
  use(id: string): Promise<OpenBot> {
    const known = this.#bots.get(id);
    if (known !== undefined) return known;
    const opening = this.#open(id);
    this.#bots.set(id, opening);
    opening.catch((error: unknown) => {
      const quarantine = quarantineEvent(id, error);
      // Anything but damage may pass: then the bot is tried again when it is next asked for.
      if (quarantine === undefined) this.#bots.delete(id);
      else this.#parts.logger(quarantine);
    });
    return opening;
  }

  /** The bot if it is in use; undefined for one that could not be opened, too. */
  async find(id: string): Promise<OpenBot | undefined> {
    return this.#bots.get(id)?.catch(() => undefined);
  }

  /** Gives a bot the embedder that its settings name now, if it is open: one that is opened later has it from the start. */
  async renewEmbedder(id: string): Promise<void> {
    const open = await this.find(id);
    // Others may have changed it meanwhile, or have removed the bot.
    const embedder = this.#parts.known(id)?.settings.embedder;
    if (embedder !== undefined) await open?.useEmbedder(this.#parts.embedders.get(embedder));
  }

  /** Closes a bot that the catalog has no more, and deletes its store. */
  discard(id: string): Promise<void> {
    const discarding = this.#discard(id).finally(() => this.#discarding.delete(id));
    this.#discarding.set(id, discarding);
    return discarding;
  }

  async #discard(id: string): Promise<void> {
    const open = this.find(id);
    this.#bots.delete(id);
    await (await open)?.discard();
    await this.#parts.storage.remove(storeName(id));
  }

  /** Resolves when the store of a bot that is being discarded is gone, or could not be deleted. */
  async whenGone(id: string): Promise<void> {
    await this.#discarding.get(id)?.catch(() => undefined);
  }

  /** Opens no unfinished bot any more, and closes all there are. */
  async closeAll(): Promise<void> {
    this.#isClosing = true;
    await Promise.allSettled(this.#discarding.values());
    const openings = await Promise.allSettled(this.#bots.values());
    await closeEach(openings.flatMap((opening) => (opening.status === "fulfilled" ? [opening.value] : [])));
  }

  /** Opens the bots that an earlier run left unfinished. One after the other: a start is for those that ask. */
  async takeUpUnfinished(): Promise<void> {
    for (const id of this.#parts.unfinished.ids) {
      if (this.#isClosing) return;
      await this.takeUp(id);
    }
  }

  /** Opens a bot and has its work go on, which nobody waits for. */
  async takeUp(id: string): Promise<void> {
    try {
      const bot = await this.use(id);
      // All of its vectors may be of another embedder: only that one can tell. The bot may be closed meanwhile.
      bot.whenUpgraded().catch(() => undefined);
    } catch (error) {
      const message = "A bot with unfinished work could not be opened; it is tried again when it is used.";
      this.#parts.logger({ level: "error", event: "botNotOpened", message, botId: id, error });
    }
  }

  async #open(id: string): Promise<OpenBot> {
    const { storage, clock, ids, logger, embedders, background, graphVectorsMin, entry } = this.#parts;
    const { language, embedder } = entry(id).settings;
    const analyzer = analyzerOf(language);
    if (analyzer === undefined) {
      throw new LoredexError(
        "UNSUPPORTED_FORMAT",
        `The bot's language "${language}" is not known to this version of Loredex.`,
      );
    }
    const store = await storage.open(storeName(id));
    try {
      return await OpenBot.open({
        info: () => infoOf(entry(id)),
        store,
        analyzer,
        clock,
        ids,
        logger,
        sleep: systemSleep,
        embedder: embedders.get(embedder),
        graphs: () => {
          this.#graphs ??= loadHnsw(this.#parts.temporaryDirectory);
          return this.#graphs;
        },
        graphVectorsMin,
        background,
        onUnfinished: (unfinished) => this.#noteWork(id, unfinished),
      });
    } catch (error) {
      await store.close();
      throw error;
    }
  }

  /** A bot whose embedder is not known here has no work here; what it had is for those who know it. */
  #noteWork(id: string, unfinished: boolean): void {
    const { embedders, entry } = this.#parts;
    const isKnown = embedders.names.includes(entry(id).settings.embedder);
    if (unfinished || isKnown) this.#parts.unfinished.set(id, unfinished);
  }
}
