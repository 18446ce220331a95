import type { Analyzer } from "./analysis/analyzer.ts";
import { analyzerOf } from "./analysis/languages.ts";
import type { CatalogEntry } from "./catalog/catalog-state.ts";
import type { UnfinishedBots } from "./catalog/unfinished-bots.ts";
import type { Embedders } from "./embedding/embedders.ts";
import type { SharedEmbedder } from "./embedding/shared-embedder.ts";
import type { Logger } from "./platform/log-event.ts";

/** The part of an open bot that takes settings. */
interface SettableBot {
  readonly isClosed: boolean;
  useEmbedder(embedder: SharedEmbedder | undefined): Promise<void>;
  useLanguage(analyzer: Analyzer): void;
}

export interface SettingsInUseDeps {
  /** The bot if it is open; see {@link OpenOnDemand.find}. */
  readonly find: (id: string) => Promise<SettableBot | undefined>;
  /** The catalog's entry of a bot; undefined if the bot was removed. */
  readonly known: (id: string) => CatalogEntry | undefined;
  readonly embedders: Embedders;
  readonly unfinished: UnfinishedBots;
  readonly background: boolean;
  readonly logger: Logger;
  /** Adds a bot to the unfinished work. */
  readonly takeUp: (id: string) => void;
  /** Closes a bot that is not in the catalog any more. */
  readonly forget: (id: string) => Promise<void>;
  readonly isClosing: () => boolean;
}

/** Applies changed settings to the bots that are open. A closed bot has them with its next opening. */
export class SettingsInUse {
  readonly #deps: SettingsInUseDeps;

  constructor(deps: SettingsInUseDeps) {
    this.#deps = deps;
  }

  /** The name of the bot's embedder, if this engine has it. */
  embedderOf(id: string): string | undefined {
    const name = this.#deps.known(id)?.settings.embedder;
    return name !== undefined && this.#deps.embedders.names.includes(name) ? name : undefined;
  }

  /** Gives a bot the embedder that its settings name now, and notes its work. A closed bot gets it with its next opening, which is soon if it has work. */
  async renewEmbedder(id: string): Promise<void> {
    const open = await this.#deps.find(id);
    // Another call may have changed the embedder meanwhile, or removed the bot.
    const embedder = this.#deps.known(id)?.settings.embedder;
    if (embedder === undefined) return;
    const { background, unfinished } = this.#deps;
    // Only a bot with an open embedder knows whether vectors are missing: it clears the note then. A stop may come first.
    if (!this.#deps.isClosing() && this.embedderOf(id) !== undefined) unfinished.set(id, true);
    if (open !== undefined && !open.isClosed) await open.useEmbedder(this.#deps.embedders.get(embedder));
    if (background && unfinished.has(id)) this.#deps.takeUp(id);
    // The caller's answer must not come before the note.
    await unfinished.recorded();
  }

  /** Gives an open bot the language of its settings. A closed bot takes it when it is opened. */
  async renewLanguage(id: string): Promise<void> {
    const open = await this.#deps.find(id);
    // The setting may change again while the analyzer is loaded: the newest one counts.
    for (;;) {
      const language = this.#deps.known(id)?.settings.language;
      const analyzer = language === undefined ? undefined : await analyzerOf(language);
      if (analyzer === undefined || open === undefined || open.isClosed) return;
      if (this.#deps.known(id)?.settings.language === language) return open.useLanguage(analyzer);
    }
  }

  /** Applies a change of a bot by another node: its entries in the catalog before and after. */
  onOthers(before: CatalogEntry | undefined, after: CatalogEntry | undefined): void {
    if (before === undefined) return;
    const { id, settings } = before;
    const message = "A change of a bot by another node could not be applied; the bot has it when it is opened again.";
    const applied = (change: Promise<void>): void => {
      change.catch((error: unknown) => {
        this.#deps.logger({ level: "warn", event: "changeNotApplied", message, botId: id, error });
      });
    };
    if (after === undefined) {
      applied(this.#deps.forget(id));
      return;
    }
    if (after.settings.language !== settings.language) applied(this.renewLanguage(id));
    if (after.settings.embedder !== settings.embedder) applied(this.renewEmbedder(id));
  }
}
