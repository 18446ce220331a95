import { LoredexError } from "../model/errors.ts";
import type { KeyInfo, KeyOptions } from "../model/keys.ts";
import { A_STRING } from "../model/known-options.ts";
import type { StoredSettings } from "../model/records.ts";
import { requireArguments } from "../model/require-options.ts";
import type { BotInfo, BotSettings } from "../model/types.ts";
import type { Random } from "../platform/clock.ts";
import { Running } from "../platform/running.ts";
import { infoOf } from "./bot-info.ts";
import type { CatalogEntry } from "./catalog-state.ts";
import type { CatalogStore } from "./catalog-store.ts";
import { addedKey, issueKey, revokedKey, rotatedKey } from "./change-keys.ts";
import { type CreationDeps, createBot } from "./create-bot.ts";
import { parseNewKey } from "./key-shape.ts";
import { keysOf } from "./known-keys.ts";
import { NEW_BOT, parseSettings, type SettingsChoices } from "./settings.ts";

/** The settings of a bot that an update has changed. */
export interface ChangedSettings {
  readonly id: string;
  readonly embedder: boolean;
  readonly language: boolean;
}

/** Creates bots in the catalog, changes their settings and keys, and removes them. The engine applies these changes to open bots. */
export class BotRegistry {
  readonly #catalog: CatalogStore;
  readonly #deps: CreationDeps;
  readonly #random: Random;
  readonly #choices: SettingsChoices;
  readonly #refuseIfClosed: () => void;
  readonly #creations = new Running();

  /** @param refuseIfClosed throws when the engine is closed and nothing may be changed any more */
  constructor(deps: CreationDeps, choices: SettingsChoices, refuseIfClosed: () => void) {
    this.#catalog = deps.catalog;
    this.#deps = deps;
    this.#random = deps.random;
    this.#choices = choices;
    this.#refuseIfClosed = refuseIfClosed;
  }

  /** Creates a bot. Resolves with the bot and the text of its first key. @throws LoredexError `BOT_EXISTS`, ValidationError */
  async create(input: Partial<BotSettings>): Promise<{ bot: BotInfo; key: string }> {
    this.#refuseIfClosed();
    const settings = parseSettings(input, NEW_BOT, this.#choices);
    // Another node may have given the name up a moment ago.
    await this.#catalog.catchUp();
    this.#refuseTaken(settings.name);
    return this.#creations.add(this.#create(settings));
  }

  /** The bot of this name; if it does not exist, it is created with a key. @throws ValidationError, whether the bot exists or not */
  async ensure(input: Partial<BotSettings>): Promise<{ bot: BotInfo; key?: string }> {
    this.#refuseIfClosed();
    const settings = parseSettings(input, NEW_BOT, this.#choices);
    for (;;) {
      await this.#catalog.catchUp();
      const known = this.#catalog.find(settings.name);
      if (known !== undefined) return { bot: infoOf(known) };
      try {
        return await this.#creations.add(this.#create(settings));
      } catch (error) {
        // Another call created it meanwhile.
        if (!(error instanceof LoredexError && error.code === "BOT_EXISTS")) throw error;
        this.#refuseIfClosed();
      }
    }
  }

  async #create(settings: StoredSettings): Promise<{ bot: BotInfo; key: string }> {
    const { id, key } = await createBot(this.#deps, settings, () => this.#refuseTaken(settings.name));
    return { bot: infoOf(this.entry(id)), key };
  }

  /**
   * Changes settings of a bot. `readLanguage` loads the data of a new language. If that fails, nothing changes and the bot keeps its language.
   * @throws LoredexError `BOT_NOT_FOUND`, `BOT_EXISTS`, ValidationError
   */
  async update(
    idOrName: string,
    changes: Partial<BotSettings>,
    readLanguage: (language: string) => Promise<unknown>,
  ): Promise<ChangedSettings> {
    this.#refuseIfClosed();
    requireArguments("Engine.updateBot", { idOrName }, { idOrName: A_STRING });
    // Where the bot is known, nothing is awaited: the change that is asked for first is made first.
    if (this.#catalog.find(idOrName) === undefined) await this.#catalog.catchUp();
    const { settings: now } = this.entry(idOrName, "Engine.updateBot");
    const { language } = parseSettings(changes, now, this.#choices);
    if (changes.language !== undefined) await readLanguage(language);
    return this.#changing(idOrName, "Engine.updateBot", async ({ id, settings: known }) => {
      const settings = parseSettings(changes, known, this.#choices);
      if (settings.name !== known.name) this.#refuseTaken(settings.name);
      await this.#catalog.commit({ kind: "botSet", id, settings });
      const changed = (field: "embedder" | "language"): boolean => settings[field] !== known[field];
      return { id, embedder: changed("embedder"), language: changed("language") };
    });
  }

  /** Removes a bot from the catalog. Resolves with its id. The caller deletes its store. @throws LoredexError `BOT_NOT_FOUND` */
  strikeOff(idOrName: string): Promise<string> {
    return this.#changing(idOrName, "Engine.removeBot", async ({ id }) => {
      await this.#catalog.commit({ kind: "botRemove", id });
      return id;
    });
  }

  /** Adds a key to a bot. Resolves with the key's text. @throws LoredexError `BOT_NOT_FOUND`, `KEY_EXISTS`, ValidationError */
  async addKey(idOrName: string, name: string, options: KeyOptions): Promise<string> {
    const terms = parseNewKey(name, options);
    const issue = (entry: CatalogEntry): Promise<string> =>
      issueKey(this.#catalog, addedKey(entry, terms, this.#random));
    return this.#changing(idOrName, "Engine.addKey", issue);
  }

  /** Gives a key a new secret. Resolves with the key's text. @throws LoredexError `BOT_NOT_FOUND`, `KEY_NOT_FOUND` */
  async rotateKey(idOrName: string, name: string): Promise<string> {
    requireArguments("Engine.rotateKey", { name }, { name: A_STRING });
    const issue = (entry: CatalogEntry): Promise<string> =>
      issueKey(this.#catalog, rotatedKey(entry, name, this.#random));
    return this.#changing(idOrName, "Engine.rotateKey", issue);
  }

  /** Revokes a key. @throws LoredexError `BOT_NOT_FOUND`, `KEY_NOT_FOUND` */
  async revokeKey(idOrName: string, name: string): Promise<void> {
    requireArguments("Engine.revokeKey", { name }, { name: A_STRING });
    await this.#changing(idOrName, "Engine.revokeKey", (entry) => this.#catalog.commit(revokedKey(entry, name)));
  }

  /** The keys of a bot that are in force. @throws LoredexError `BOT_NOT_FOUND` */
  listKeys(idOrName: string): KeyInfo[] {
    this.#refuseIfClosed();
    return keysOf(this.entry(idOrName, "Engine.listKeys")).map(({ info }) => info);
  }

  /**
   * The catalog entry of a bot.
   * @param call the function whose caller has given the name, for error messages
   * @throws LoredexError `BOT_NOT_FOUND`; ValidationError for a name that is no string
   */
  entry(idOrName: string, call = "Engine"): CatalogEntry {
    requireArguments(call, { idOrName }, { idOrName: A_STRING });
    const entry = this.#catalog.find(idOrName);
    if (entry === undefined)
      throw new LoredexError("BOT_NOT_FOUND", `There is no bot with the id or name ${idOrName}.`);
    return entry;
  }

  /** The same, also of a bot that another node has made a moment ago. @throws as {@link entry}, LoredexError `UNREACHABLE` */
  async current(idOrName: string, call = "Engine"): Promise<CatalogEntry> {
    requireArguments(call, { idOrName }, { idOrName: A_STRING });
    if (this.#catalog.find(idOrName) === undefined) await this.#catalog.catchUp();
    return this.entry(idOrName, call);
  }

  /** Waits for bots that are being created. */
  settled(): Promise<void> {
    return this.#creations.settled();
  }

  async #changing<Result>(
    idOrName: string,
    call: string,
    change: (entry: CatalogEntry) => Promise<Result>,
  ): Promise<Result> {
    this.#refuseIfClosed();
    return this.#catalog.exclusively(() => change(this.entry(idOrName, call)));
  }

  #refuseTaken(name: string): void {
    if (this.#catalog.find(name) === undefined) return;
    throw new LoredexError("BOT_EXISTS", `There is a bot named ${name} already; choose another name.`);
  }
}
