import { makeKey, matchesKey, publicIdOf } from "../catalog/keys.ts";
import { type RecordedPlace, RecordedState } from "../log/recorded-state.ts";
import {
  ADMIN_SCOPES,
  type AdminChange,
  type AdminIdentity,
  type AdminKeyInfo,
  type AdminKeyOptions,
  type AdminSession,
  type ChangesOptions,
  type ChangesPage,
  type NewAdminSession,
  type NotedChange,
  type SignIn,
} from "../model/administration.ts";
import { LoredexError, ValidationError } from "../model/errors.ts";
import {
  A_FUNCTION,
  A_STRING,
  A_TEXT,
  aWholeNumber,
  listOf,
  type OptionKinds,
  oneOf,
  optional,
  required,
} from "../model/known-options.ts";
import {
  ADMIN_CHANGE_TARGET_CHARACTERS_MAX,
  ADMIN_CHANGES_PAGE_MAX,
  ADMIN_KEY_BOTS_MAX,
  NAME_CHARACTERS_MAX,
} from "../model/limits.ts";
import type { AdminRecord, StoredAdminKey, StoredSession } from "../model/records.ts";
import { requireArguments } from "../model/require-options.ts";
import { isUnreachable } from "../nodes/decide-again.ts";
import type { Random } from "../platform/clock.ts";
import { SerialQueue } from "../scheduling/serial-queue.ts";
import { adminKeyInfo, adminKeyNamed, identityOf, parseNewAdminKey, refuseAdminKey } from "./admin-keys.ts";
import { ADMINISTRATION } from "./admin-records.ts";
import type { AdminState, NumberedChange } from "./admin-state.ts";
import { csrfTokenOf, makeToken, tokenDigest } from "./secrets.ts";
import { countedAddress, signInWaitMs } from "./sign-in-rule.ts";

/** How long a session lasts, in milliseconds. */
const SESSION_MS = 12 * 3_600_000;
/** By how much the clocks of nodes may differ, in milliseconds. */
const CLOCKS_DIFFER_MS = 300_000;
/** What other nodes have revoked holds here after at most this many milliseconds. */
const FRESH_MS = 500;
const CHANGES_LIMIT_DEFAULT = 100;

/** Dependencies of {@link Administration}. */
export interface AdministrationDeps extends RecordedPlace {
  readonly random: Random;
  /** Milliseconds for which keys and sessions are accepted as known while a shared storage does not answer. */
  readonly staleMaxMs: number;
  /** The id of a bot, by that or by its name. @throws LoredexError `BOT_NOT_FOUND` */
  readonly botId: (idOrName: string) => Promise<string>;
  readonly refuseIfClosed: () => void;
}

const IDENTITY: OptionKinds<AdminIdentity> = {
  name: required(A_STRING),
  scope: required(oneOf(ADMIN_SCOPES)),
  bots: listOf(A_STRING),
  keyId: required(A_STRING),
};
const CHANGE: OptionKinds<AdminChange> = {
  by: required(A_TEXT),
  action: required(A_TEXT),
  bot: A_STRING,
  target: A_STRING,
};
const CHANGES: OptionKinds<ChangesOptions> = {
  limit: aWholeNumber(1, ADMIN_CHANGES_PAGE_MAX),
  before: aWholeNumber(0),
  bots: listOf(A_STRING),
};

/** Who may administer the bots: admin keys, sessions of the console, and the audit log. It has a store of its own from the first admin key on. */
export class Administration {
  readonly #deps: AdministrationDeps;
  readonly #recorded: RecordedState<AdminState, AdminRecord>;
  /** The tries to sign in that wait or run, by their address. */
  readonly #signIns = new Map<string, { readonly queue: SerialQueue; waiting: number }>();

  /** @internal The engine makes it. */
  constructor(deps: AdministrationDeps) {
    this.#deps = deps;
    this.#recorded = new RecordedState({ ...deps, kind: ADMINISTRATION });
  }

  get #state(): AdminState {
    return this.#recorded.state;
  }

  /**
   * Creates an admin key, with a name of 1 to 200 characters. Its text is returned here and never again.
   * @throws LoredexError `KEY_EXISTS`, `BOT_NOT_FOUND`, ValidationError, also for more than {@link ADMIN_KEYS_MAX}
   */
  async addKey(name: string, options: AdminKeyOptions = {}): Promise<string> {
    this.#deps.refuseIfClosed();
    const { bots: given, ...terms } = parseNewAdminKey(name, options);
    const bots = given && { bots: [...new Set(await Promise.all(given.map((bot) => this.#deps.botId(bot))))] };
    return this.#changed(() => {
      refuseAdminKey(this.#state, name);
      return { ...terms, ...bots, createdAtMs: this.#nowMs() };
    });
  }

  /** The admin keys in force, in the order of their creation. */
  async listKeys(): Promise<AdminKeyInfo[]> {
    this.#deps.refuseIfClosed();
    await this.#recorded.catchUp();
    return [...this.#state.keys.values()].map(adminKeyInfo);
  }

  /** The owner of the admin key of this name as it is now; undefined without one. When the key is rotated, {@link openSession} refuses it. */
  async identity(name: string): Promise<AdminIdentity | undefined> {
    this.#deps.refuseIfClosed();
    requireArguments("Administration.identity", { name }, { name: A_STRING });
    await this.#recorded.catchUp();
    const key = this.#state.keys.get(name);
    return key && identityOf(key);
  }

  /** Gives an admin key a new secret, and ends its sessions. Its text is returned here and never again. @throws LoredexError `KEY_NOT_FOUND` */
  async rotateKey(name: string): Promise<string> {
    this.#deps.refuseIfClosed();
    requireArguments("Administration.rotateKey", { name }, { name: A_STRING });
    return this.#changed(() => adminKeyNamed(this.#state, name));
  }

  /** Revokes an admin key, and ends its sessions. @throws LoredexError `KEY_NOT_FOUND` */
  async revokeKey(name: string): Promise<void> {
    this.#deps.refuseIfClosed();
    requireArguments("Administration.revokeKey", { name }, { name: A_STRING });
    await this.#recorded.exclusively(async () => {
      adminKeyNamed(this.#state, name);
      await this.#recorded.commit({ kind: "adminKeySet", name });
    });
  }

  /**
   * The owner of an admin key; undefined for a missing, unknown or revoked key, in the same time. It knows what other nodes have changed a second before.
   * @throws LoredexError `UNREACHABLE`
   */
  authenticate(key: string | undefined): Promise<AdminIdentity | undefined> {
    this.#deps.refuseIfClosed();
    requireArguments("Administration.authenticate", { key }, { key: optional(A_STRING) });
    const text = key ?? "";
    const publicId = publicIdOf(text);
    return this.#found(publicId !== undefined, () => {
      const known = [...this.#state.keys.values()].find((each) => each.publicId === publicId);
      return matchesKey(text, known) && known !== undefined ? identityOf(known) : undefined;
    });
  }

  /**
   * Begins a session of an admin key, for 12 hours. It ends with its key, and when 20 younger ones of the key have begun.
   * @param of an identity that {@link authenticate} has given, or the name of a key
   * @throws LoredexError `KEY_NOT_FOUND`, also if the key was rotated since
   */
  async openSession(of: AdminIdentity | string): Promise<NewAdminSession> {
    this.#deps.refuseIfClosed();
    if (typeof of !== "string") requireArguments("Administration.openSession", { of }, { of: IDENTITY });
    const { name, keyId } = typeof of === "string" ? { name: of } : of;
    const token = makeToken(this.#deps.random);
    return this.#recorded.exclusively(async () => {
      const key = adminKeyNamed(this.#state, name);
      if (keyId !== undefined && keyId !== key.publicId)
        throw new LoredexError("KEY_NOT_FOUND", `The admin key ${name} was given a new secret meanwhile.`);
      const openedAtMs = this.#nowMs();
      const session: StoredSession = {
        sha256: tokenDigest(token) ?? "",
        key: name,
        keyId: key.publicId,
        expiresAtMs: openedAtMs + SESSION_MS,
      };
      await this.#recorded.commit({ kind: "sessionOpen", session, openedAtMs });
      return { token, ...sessionOf(token, key, session) };
    });
  }

  /**
   * The session of a token; undefined if there is none, or none any more. A session of more than 12 hours was begun by a clock that was set back since. It
   * ends here for good.
   * @throws LoredexError `UNREACHABLE`
   */
  async session(token: string | undefined): Promise<AdminSession | undefined> {
    this.#deps.refuseIfClosed();
    requireArguments("Administration.session", { token }, { token: optional(A_STRING) });
    const text = token ?? "";
    const sha256 = tokenDigest(text);
    const found = await this.#found(sha256 !== undefined, () => {
      const session = this.#state.sessions.get(sha256 ?? "");
      const key = session && this.#state.keys.get(session.key);
      if (session === undefined || key?.publicId !== session.keyId) return undefined;
      return session.expiresAtMs > this.#nowMs() ? { key, session } : undefined;
    });
    if (found === undefined) return undefined;
    const { key, session } = found;
    if (session.expiresAtMs <= this.#nowMs() + SESSION_MS + CLOCKS_DIFFER_MS) return sessionOf(text, key, session);
    await this.closeSession(text);
    return undefined;
  }

  /** Ends the session of a token, if there is one. */
  async closeSession(token: string): Promise<void> {
    this.#deps.refuseIfClosed();
    requireArguments("Administration.closeSession", { token }, { token: A_STRING });
    const sha256 = tokenDigest(token);
    if (sha256 === undefined) return;
    await this.#recorded.exclusively(async () => {
      if (this.#state.sessions.has(sha256)) await this.#recorded.commit({ kind: "sessionClose", sha256 });
    });
  }

  /**
   * Tries to sign in from an address, after the earlier tries of the address on this node. A try that resolves with undefined has failed, and counts for all
   * nodes. The first 10 failures within 15 minutes have no effect. From then on, each try has to come 30 seconds after the last failure. A try that comes
   * earlier is not made. Nothing counts as long as there is no admin key.
   * @throws what the try throws; that is no failure
   */
  async signIn<Result>(address: string, attempt: () => Promise<Result | undefined>): Promise<SignIn<Result>> {
    this.#deps.refuseIfClosed();
    requireArguments("Administration.signIn", { address, attempt }, { address: A_STRING, attempt: A_FUNCTION });
    const counted = countedAddress(address);
    const waiting = this.#signIns.get(counted) ?? { queue: new SerialQueue(), waiting: 0 };
    this.#signIns.set(counted, waiting);
    waiting.waiting += 1;
    try {
      return await waiting.queue.run(() => this.#signIn(counted, attempt));
    } finally {
      waiting.waiting -= 1;
      if (waiting.waiting === 0) this.#signIns.delete(counted);
    }
  }

  async #signIn<Result>(address: string, attempt: () => Promise<Result | undefined>): Promise<SignIn<Result>> {
    await this.#recorded.catchUp(FRESH_MS);
    const waitMs = signInWaitMs(this.#state.failures.get(address) ?? [], this.#nowMs());
    if (waitMs > 0) return { waitMs };
    const result = await attempt();
    if (result !== undefined) return { waitMs, result };
    await this.#recorded.exclusively(async () => {
      if (this.#state.keys.size === 0) return;
      await this.#recorded.commit({ kind: "signInFail", address, atMs: this.#nowMs() });
    });
    return { waitMs };
  }

  /** Adds a change to the audit log, which keeps the last 10,000. Of the sign-ins, sign-outs and backups of one key, it keeps the last 20 each. */
  async noteChange(change: AdminChange): Promise<void> {
    this.#deps.refuseIfClosed();
    requireArguments("Administration.noteChange", { change }, { change: CHANGE });
    const { by, action, bot, target } = change;
    const noted = {
      by: cut(by, NAME_CHARACTERS_MAX),
      action: cut(action, NAME_CHARACTERS_MAX),
      ...(bot !== undefined && { bot: cut(bot, NAME_CHARACTERS_MAX) }),
      ...(target !== undefined && { target: cut(target, ADMIN_CHANGE_TARGET_CHARACTERS_MAX) }),
    };
    await this.#recorded.exclusively(() =>
      this.#recorded.commit({ kind: "changeNote", change: { atMs: this.#nowMs(), ...noted } }),
    );
  }

  /**
   * The same for a change that was made: if it cannot be noted, that is logged. The change stays, and what it answers, such as the text of a new key, must
   * not be lost.
   */
  async noteMade(change: AdminChange): Promise<void> {
    this.#deps.refuseIfClosed();
    requireArguments("Administration.noteMade", { change }, { change: CHANGE });
    await this.noteChange(change).catch((error: unknown) => {
      const { by, action, target } = change;
      const message = `The audit log could not take what ${by} did: ${action}${target === undefined ? "" : ` ${target}`}.`;
      this.#deps.logger({ level: "error", event: "changeNotNoted", message, error });
    });
  }

  /** A page of the audit log, newest first. @throws ValidationError, LoredexError `UNREACHABLE` */
  async changes(options: ChangesOptions = {}): Promise<ChangesPage> {
    this.#deps.refuseIfClosed();
    requireArguments("Administration.changes", { options }, { options: CHANGES });
    await this.#recorded.catchUp();
    const { limit = CHANGES_LIMIT_DEFAULT, before = Number.POSITIVE_INFINITY, bots } = options;
    if (bots !== undefined && bots.length > ADMIN_KEY_BOTS_MAX) throw tooManyBots();
    const wanted = bots && new Set(bots);
    const isWanted = ({ number, bot }: NumberedChange): boolean =>
      number < before && (wanted === undefined || (bot !== undefined && wanted.has(bot)));
    const found = this.#state.changes.filter(isWanted);
    const page = found.slice(-limit).reverse();
    const next = found.length > limit ? page.at(-1)?.number : undefined;
    return { changes: page.map(notedChange), ...(next !== undefined && { next }) };
  }

  /** Deletes revoked keys, ended sessions and failed sign-ins from the store's files. */
  purge(): Promise<void> {
    return this.#recorded.purge();
  }

  close(): Promise<void> {
    return this.#recorded.close();
  }

  /** Commits a key with a new secret; resolves with its text. */
  #changed(decide: () => Omit<StoredAdminKey, "publicId" | "sha256">): Promise<string> {
    const { text, stored } = makeKey(this.#deps.random);
    return this.#recorded.exclusively(async () => {
      const key = { ...decide(), ...stored };
      await this.#recorded.commit({ kind: "adminKeySet", name: key.name, key });
      return text;
    });
  }

  /** Finds something in the state as it is now, or as it was a moment ago; asks other nodes before nothing is found for a text that may be right. */
  async #found<Found>(mayBe: boolean, find: () => Found | undefined): Promise<Found | undefined> {
    await this.#current(FRESH_MS);
    const found = find();
    if (found !== undefined || !mayBe || this.#deps.storage.shared === undefined) return found;
    await this.#current(0);
    return find();
  }

  async #current(staleMs: number): Promise<void> {
    try {
      await this.#recorded.catchUp(staleMs);
    } catch (error) {
      if (!isUnreachable(error) || this.#recorded.ageMs > this.#deps.staleMaxMs) throw error;
    }
  }

  #nowMs(): number {
    return Math.floor(this.#deps.clock.wallMs());
  }
}

function tooManyBots(): ValidationError {
  const message = `options.bots must be at most ${ADMIN_KEY_BOTS_MAX}`;
  return new ValidationError([{ field: "options.bots", type: "maxItems", message }]);
}

function sessionOf(token: string, key: StoredAdminKey, { expiresAtMs }: StoredSession): AdminSession {
  return {
    identity: identityOf(key),
    csrfToken: csrfTokenOf(token),
    expiresAt: new Date(expiresAtMs).toISOString(),
  };
}

function notedChange({ atMs, by, action, bot, target }: NumberedChange): NotedChange {
  return {
    at: new Date(atMs).toISOString(),
    by,
    action,
    ...(bot !== undefined && { bot }),
    ...(target !== undefined && { target }),
  };
}

/** The first characters of a text. */
function cut(text: string, max: number): string {
  return text.length > max ? text.slice(0, max).toWellFormed() : text;
}
