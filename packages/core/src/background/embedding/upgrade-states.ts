import { reasonOf } from "../../model/errors.ts";
import { must } from "../../model/must.ts";
import { embeddingRetryMs } from "../../model/retry-ms.ts";
import type { Made } from "./embed-windows.ts";
import type { Job } from "./embedding-jobs.ts";

/** The outcome of earlier tries. */
interface Past {
  /** Calls that failed since the start. */
  readonly failures: number;
  /** Failed calls since the last success. Each doubles the pause; refused texts do not count. */
  readonly failuresInARow: number;
  /** Why the last call failed; undefined after a success. */
  readonly lastFailure: string | undefined;
  /** Why the next try would fail as well, and how to mend it; undefined if the failure may pass. */
  readonly blocked: string | undefined;
  /** Output that the log did not take. It is appended again, and the embedder is not called twice. */
  readonly unwritten: Made | undefined;
}

/**
 * A state of making vectors, named by its work: the end of the work is the next event. `idle`, `stopped` and `closed` have none.
 * A state that is left before its work has ended drops the outcome.
 */
export type UpgradeState = { readonly past: Past } & (
  | { readonly at: "idle" | "opening" | "picking" | "stopped" | "closed" }
  | { readonly at: "embedding"; readonly jobs: readonly Job[] }
  | { readonly at: "appending" | "keeping"; readonly made: Made }
  /** Paused after a failure that may pass; blocked after one that lasts until a setting is changed. */
  | { readonly at: "paused" | "blocked"; readonly pauseMs: number }
);

export type UpgradeEvent =
  /** From outside: a document waits; a caller waits until it can wait no more; the use of the embedder ends. */
  | { readonly is: "added" | "awaited" | "closed" }
  | { readonly is: "opened" | "unavailable" | "nothingWaits" | "durable" | "kept" | "rested" }
  | { readonly is: "picked"; readonly jobs: readonly Job[] }
  /** Output of the embedder: new, or not written yet. */
  | { readonly is: "embedded" | "unwritten"; readonly made: Made }
  /** The embedder refuses these texts, and may take others. */
  | { readonly is: "refused"; readonly jobs: readonly Job[]; readonly error: unknown }
  /** A call failed: that may pass, or lasts, or the bot itself takes nothing. `broke` is any other error. */
  | { readonly is: "failed" | "lasting" | "halted" | "broke"; readonly error: unknown };

type At = UpgradeState["at"];
type Kind = UpgradeEvent["is"];
type Outside = "added" | "awaited" | "closed";
export type StateAt<S extends At> = UpgradeState & { readonly at: S };
type EventOf<K extends Kind> = UpgradeEvent & { readonly is: K };

const to =
  (at: "idle" | "opening" | "picking" | "stopped" | "closed") =>
  ({ past }: Pick<UpgradeState, "past">): UpgradeState => ({ at, past });
const [idle, opening, picking, closed] = [to("idle"), to("opening"), to("picking"), to("closed")];
const stay = (state: UpgradeState): UpgradeState => state;
/** Unwritten output that was not picked is of replaced versions. */
const withoutOld = ({ past }: UpgradeState): UpgradeState["past"] => ({ ...past, unwritten: undefined });
const embedding = (state: UpgradeState, { jobs }: EventOf<"picked">) =>
  ({ at: "embedding", past: withoutOld(state), jobs }) as const;
const atRest = (state: UpgradeState): UpgradeState => idle({ past: withoutOld(state) });
const appending = ({ past }: UpgradeState, { made }: EventOf<"embedded" | "unwritten">) =>
  ({ at: "appending", past: { ...past, unwritten: made }, made }) as const;
const keeping = ({ past, made }: StateAt<"appending">) =>
  ({ at: "keeping", past: { ...past, unwritten: undefined }, made }) as const;
const afterSuccess = ({ past }: UpgradeState) =>
  picking({ past: { ...past, failuresInARow: 0, lastFailure: undefined, blocked: undefined } });
const afterRefusal = ({ past }: UpgradeState, { error }: EventOf<"refused">) => picking({ past: counted(past, error) });
const paused = ({ past }: UpgradeState, { is, error }: EventOf<"failed" | "lasting">) => {
  const [at, blocked] = is === "failed" ? (["paused", undefined] as const) : (["blocked", withMend(error)] as const);
  const pauseMs = embeddingRetryMs(past.failuresInARow);
  return { at, past: { ...counted(past, error), failuresInARow: past.failuresInARow + 1, blocked }, pauseMs };
};
const stopped = ({ past }: UpgradeState, { is, error }: EventOf<"halted" | "broke">) =>
  to("stopped")({ past: { ...(is === "halted" ? counted(past, error) : past), blocked: withMend(error) } });

function counted(past: Past, error: unknown): Past {
  return { ...past, failures: past.failures + 1, lastFailure: reasonOf(error) };
}

const RESTS = { added: opening, awaited: opening, closed };
const WORKS = { added: stay, awaited: stay, closed, broke: stopped };
const CALLS = { ...WORKS, failed: paused, lasting: paused, halted: stopped };

/** The next state for each event that can come in a state. */
export const TRANSITIONS = {
  idle: RESTS,
  opening: { ...WORKS, opened: picking, unavailable: idle },
  picking: { ...CALLS, picked: embedding, unwritten: appending, nothingWaits: atRest },
  embedding: { ...CALLS, embedded: appending, refused: afterRefusal },
  // An invariant: vectors are durable before their token codes are kept. After a crash in between, the token codes are made again.
  appending: { ...CALLS, durable: keeping },
  keeping: { ...WORKS, kept: afterSuccess },
  paused: { ...WORKS, rested: picking },
  blocked: { ...WORKS, awaited: picking, rested: picking },
  stopped: RESTS,
  closed: { added: stay, awaited: stay, closed: stay },
} satisfies {
  readonly [S in At]: {
    readonly [K in Kind]?: (state: StateAt<S>, event: EventOf<K>) => UpgradeState;
  } & Readonly<Record<Outside, unknown>>;
};

type OutcomeKind<S extends At> = Extract<Exclude<keyof (typeof TRANSITIONS)[S], Outside>, Kind>;
/** The events that end the work of a state. */
export type Outcome<S extends At> = EventOf<OutcomeKind<S>>;
/** The states that have work. */
export type Working = { [S in At]: [OutcomeKind<S>] extends [never] ? never : S }[At];

export const BEGINNING: UpgradeState = {
  at: "idle",
  past: { failures: 0, failuresInARow: 0, lastFailure: undefined, blocked: undefined, unwritten: undefined },
};

/** The state after an event; the same object if nothing changes. @throws LoredexError `INTERNAL` if the event cannot come in this state */
export function transition(state: UpgradeState, event: UpgradeEvent): UpgradeState {
  const row: Partial<Record<Kind, unknown>> = TRANSITIONS[state.at];
  // Each function of the table takes its own state and event: the compiler has checked it there.
  const next = row[event.is] as ((state: UpgradeState, event: UpgradeEvent) => UpgradeState) | undefined;
  return must(next, "the transition of a state of making vectors")(state, event);
}

/**
 * Errors of the bot itself, which stop the work. A full bot takes nothing until something is deleted: the next document tries again. A read-only bot
 * takes nothing before a restart.
 */
const OF_THE_BOT: ReadonlySet<unknown> = new Set(["BOT_FULL", "READ_ONLY"]);

/** The event of a call that failed. A failure lasts if the embedder says so, or if its output breaks its contract. */
export function failureOf(error: unknown): EventOf<"failed" | "lasting" | "halted"> {
  if (OF_THE_BOT.has(codeOf(error))) return { is: "halted", error };
  const lasts = error instanceof RangeError || (error instanceof Error && "lasts" in error && error.lasts === true);
  return { is: lasts ? "lasting" : "failed", error };
}

export function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}

/** Why something failed, and how to mend it if the error says so. */
function withMend(error: unknown): string {
  const why = reasonOf(error);
  const mend = error instanceof Error && "mend" in error && typeof error.mend === "string" ? error.mend : undefined;
  return mend === undefined ? why : `${why.replace(/\.$/, "")}. To mend it: ${mend}`;
}
