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

/** What of a bot was set to something else. */
export interface ChangedSettings {
  readonly id: string;
  readonly embedder: boolean;
  readonly language: boolean;
}

/** The bots that there are, as they are entered: made, given other settings and keys, struck off. What it does to open bots is the engine's. */
export class BotRegistry {
  readonly #catalog: CatalogStore;
  readonly #deps: CreationDeps;
  readonly #random: Random;
  readonly #choices: SettingsChoices;
  readonly #refuseIfClosed: () => void;
  readonly #creations = new Running();

  /** `refuseIfClosed` throws when nothing may be changed any more. */
  constructor(deps: CreationDeps, choices: SettingsChoices, refuseIfClosed: () => void) {
    this.#catalog = deps.catalog;
    this.#deps = deps;
    this.#random = deps.random;
    this.#choices = choices;
    this.#refuseIfClosed = refuseIfClosed;
  }

  /** @throws LoredexError `BOT_EXISTS`, ValidationError */
  async create(input: Partial<BotSettings>): Promise<{ bot: BotInfo; key: string }> {
    this.#refuseIfClosed();
    const settings = parseSettings(input, NEW_BOT, this.#choices);
    this.#refuseTaken(settings.name);
    return this.#creations.add(this.#create(settings));
  }

  /** The bot of this name, made if it is not there. @throws ValidationError, whether the bot is there or not */
  async ensure(input: Partial<BotSettings>): Promise<{ bot: BotInfo; key?: string }> {
    this.#refuseIfClosed();
    const settings = parseSettings(input, NEW_BOT, this.#choices);
    for (;;) {
      const known = this.#catalog.find(settings.name);
      if (known !== undefined) return { bot: infoOf(known) };
      try {
        return await this.#creations.add(this.#create(settings));
      } catch (error) {
        // Another call made it meanwhile.
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
   * Changes settings of a bot; `readLanguage` reads what a new language needs. That may be impossible: then the bot keeps the one that it has.
   * @throws LoredexError `BOT_NOT_FOUND`, `BOT_EXISTS`, ValidationError
   */
  async update(
    idOrName: string,
    changes: Partial<BotSettings>,
    readLanguage: (language: string) => Promise<unknown>,
  ): Promise<ChangedSettings> {
    this.#refuseIfClosed();
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

  /** Strikes a bot off, and gives its id. What it holds on disk is there until it is purged. @throws LoredexError `BOT_NOT_FOUND` */
  strikeOff(idOrName: string): Promise<string> {
    return this.#changing(idOrName, "Engine.removeBot", async ({ id }) => {
      await this.#catalog.commit({ kind: "botRemove", id });
      return id;
    });
  }

  /** @throws LoredexError `BOT_NOT_FOUND`, `KEY_EXISTS`, ValidationError */
  async addKey(idOrName: string, name: string, options: KeyOptions): Promise<string> {
    const terms = parseNewKey(name, options);
    const issue = (entry: CatalogEntry): Promise<string> =>
      issueKey(this.#catalog, addedKey(entry, terms, this.#random));
    return this.#changing(idOrName, "Engine.addKey", issue);
  }

  /** @throws LoredexError `BOT_NOT_FOUND`, `KEY_NOT_FOUND` */
  async rotateKey(idOrName: string, name: string): Promise<string> {
    requireArguments("Engine.rotateKey", { name }, { name: A_STRING });
    const issue = (entry: CatalogEntry): Promise<string> =>
      issueKey(this.#catalog, rotatedKey(entry, name, this.#random));
    return this.#changing(idOrName, "Engine.rotateKey", issue);
  }

  /** @throws LoredexError `BOT_NOT_FOUND`, `KEY_NOT_FOUND` */
  async revokeKey(idOrName: string, name: string): Promise<void> {
    requireArguments("Engine.revokeKey", { name }, { name: A_STRING });
    await this.#changing(idOrName, "Engine.revokeKey", (entry) => this.#catalog.commit(revokedKey(entry, name)));
  }

  /** @throws LoredexError `BOT_NOT_FOUND` */
  listKeys(idOrName: string): KeyInfo[] {
    this.#refuseIfClosed();
    return keysOf(this.entry(idOrName, "Engine.listKeys")).map(({ info }) => info);
  }

  /**
   * @param call the function that was given the name, where a user has given it
   * @throws LoredexError `BOT_NOT_FOUND`; ValidationError for a name that is no string
   */
  entry(idOrName: string, call = "Engine"): CatalogEntry {
    requireArguments(call, { idOrName }, { idOrName: A_STRING });
    const entry = this.#catalog.find(idOrName);
    if (entry === undefined)
      throw new LoredexError("BOT_NOT_FOUND", `There is no bot with the id or name ${idOrName}.`);
    return entry;
  }

  /** Waits for bots that are being made. */
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
