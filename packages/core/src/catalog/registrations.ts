import { registrationsIn } from "../log/listings.ts";
import type { BotState } from "../log/state.ts";
import { LoredexError } from "../model/errors.ts";
import { NAME_CHARACTERS_MAX } from "../model/limits.ts";
import type { BotRecord } from "../model/records.ts";
import type { Registration } from "../model/types.ts";
import { Violations } from "../model/validation.ts";
import { requireVisible } from "./visible-names.ts";

type RegistrationRecord = Extract<BotRecord, { readonly name: string }>;

/** Dependencies of {@link Registrations}. */
export interface RegistrationsDeps {
  readonly state: Pick<BotState, "agents" | "channels">;
  /** The write path. */
  readonly ingest: { register(record: RegistrationRecord): Promise<void> };
  /** Resolves when a write may begin. */
  readonly ready: () => Promise<void>;
}

/** The registered agents, or the registered channels, of a bot. */
export class Registrations {
  readonly #deps: RegistrationsDeps;
  readonly #what: "agent" | "channel";

  constructor(deps: RegistrationsDeps, what: "agent" | "channel") {
    this.#deps = deps;
    this.#what = what;
  }

  put(name: string, active: boolean): Promise<void> {
    return this.#write(
      this.#what === "agent" ? { kind: "agentPut", name, active } : { kind: "channelPut", name, active },
    );
  }

  async remove(name: string): Promise<void> {
    if (!this.#registered.has(name)) {
      throw new LoredexError("REGISTRATION_NOT_FOUND", `There is no ${this.#what} named ${name}.`);
    }
    await this.#write(this.#what === "agent" ? { kind: "agentDelete", name } : { kind: "channelDelete", name });
  }

  list(): Registration[] {
    return registrationsIn(this.#registered);
  }

  get #registered(): ReadonlyMap<string, boolean> {
    const { agents, channels } = this.#deps.state;
    return this.#what === "agent" ? agents : channels;
  }

  async #write(record: RegistrationRecord): Promise<void> {
    await this.#deps.ready();
    const violations = new Violations();
    const name = violations.string("name", record.name, { min: 1, max: NAME_CHARACTERS_MAX });
    // A name that was registered by an earlier version can still be changed and removed.
    if (name !== undefined && !this.#registered.has(name)) requireVisible(name, violations);
    violations.throwIfAny();
    await this.#deps.ingest.register(record);
  }
}
