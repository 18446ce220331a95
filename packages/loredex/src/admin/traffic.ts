import type { LogEvent, StatementEvent, WorkEvent } from "@loredex/core";
import type { HttpLogEvent } from "@loredex/http";

/** The figures are those of the last minute, in slots of this length. */
const SLOT_MS = 5_000;
const SLOTS = 12;

/** Latencies are counted in classes: each is a quarter longer than the one before. The last begins at 100 seconds. */
const CLASSES = 64;
const SHORTEST_MS = 0.1;
const RATIO = 1.25;

/** The latencies and the writes of the last minute. */
interface Recent {
  /** By slot and class. */
  readonly searches: Uint32Array;
  readonly writes: Uint32Array;
  /** The number of each slot, which tells whether it is of this minute. */
  readonly slots: Float64Array;
}

/** The traffic of a bot in the last minute. */
export interface BotTraffic {
  readonly questions: number;
  readonly writes: number;
  /** Absent without questions. Exact to a tenth. */
  readonly p50Ms?: number;
  readonly p95Ms?: number;
  readonly p99Ms?: number;
}

/** Failures that are no fault of the caller; see `LoredexFailures` of docs/metrics.md. */
const FAILURES: ReadonlySet<string> = new Set(["INTERNAL", "STORAGE_FAILED", "DISK_FULL", "TOO_MANY_OPEN_FILES"]);

/** Requests fail or are refused, as the rules of docs/grafana/alerts.yml say it, if that happens within each span of this time for this time. */
const FAILING_MS = 300_000;
/** The routes of the admin API have limits of their own, which say nothing of users. */
const ADMIN_ROUTES = "/api/v1/admin/";

/** The traffic of the last minute, from the events that metrics count too. Memory: some kilobytes for each bot that is used. */
export class Traffic {
  readonly #nowMs: () => number;
  readonly #bots = new Map<string, Recent>();
  readonly #all = noneRecent();
  readonly #heads = noneRecent();
  /** Failures and refusals by their code: the last one, and the first one since when they follow each other. */
  readonly #failing = new Map<string, { readonly sinceMs: number; readonly lastMs: number }>();

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  readonly onWork = ({ botId, kind, durationMs, code }: WorkEvent): void => {
    if (code !== undefined || kind === "suggest") return;
    const bot = this.#bots.get(botId) ?? noneRecent();
    this.#bots.set(botId, bot);
    for (const recent of [bot, this.#all]) {
      if (kind === "search") this.#count(recent, durationMs);
      else this.#count(recent);
    }
  };

  readonly onStatement = ({ kind, durationMs, failed }: StatementEvent): void => {
    if (kind === "head" && !failed) this.#count(this.#heads, durationMs);
  };

  readonly logger = (event: LogEvent | HttpLogEvent): void => {
    if (!("code" in event) || event.code === undefined) return;
    const { code } = event;
    const isOfAdmin = "route" in event && event.route.startsWith(ADMIN_ROUTES);
    if (!FAILURES.has(code) && (code !== "OVERLOADED" || isOfAdmin)) return;
    const lastMs = this.#nowMs();
    const known = this.#failing.get(code);
    const sinceMs = known !== undefined && lastMs - known.lastMs < FAILING_MS ? known.sinceMs : lastMs;
    this.#failing.set(code, { sinceMs, lastMs });
  };

  /** The traffic of a bot. */
  of(bot: string): BotTraffic {
    const recent = this.#bots.get(bot);
    return recent === undefined ? { questions: 0, writes: 0 } : this.#read(recent);
  }

  /** The traffic of all bots together. */
  get all(): BotTraffic {
    return this.#read(this.#all);
  }

  /** How long the database took to tell the heads of its stores. */
  get heads(): BotTraffic {
    return this.#read(this.#heads);
  }

  /** Whether requests fail, or are turned away, for five minutes. */
  get failures(): { readonly failed: boolean; readonly overloaded: boolean } {
    const nowMs = this.#nowMs();
    const codes = [...this.#failing].flatMap(([code, { sinceMs, lastMs }]) =>
      nowMs - lastMs < FAILING_MS && nowMs - sinceMs >= FAILING_MS ? [code] : [],
    );
    return { failed: codes.some((code) => FAILURES.has(code)), overloaded: codes.includes("OVERLOADED") };
  }

  /** Forgets bots that are not among these. */
  keepOnly(bots: ReadonlySet<string>): void {
    for (const id of this.#bots.keys()) if (!bots.has(id)) this.#bots.delete(id);
  }

  /** Counts a search of this duration, or a write. */
  #count({ searches, writes, slots }: Recent, durationMs?: number): void {
    const number = Math.floor(this.#nowMs() / SLOT_MS);
    const slot = number % SLOTS;
    if (slots[slot] !== number) {
      searches.fill(0, slot * CLASSES, (slot + 1) * CLASSES);
      writes[slot] = 0;
      slots[slot] = number;
    }
    const at = durationMs === undefined ? slot : slot * CLASSES + classOf(durationMs);
    const counts = durationMs === undefined ? writes : searches;
    counts[at] = (counts[at] ?? 0) + 1;
  }

  #read({ searches, writes, slots }: Recent): BotTraffic {
    const oldest = Math.floor(this.#nowMs() / SLOT_MS) - SLOTS;
    const classes = new Uint32Array(CLASSES);
    let [questions, written] = [0, 0];
    for (const [slot, number] of slots.entries()) {
      if (number <= oldest) continue;
      written += writes[slot] ?? 0;
      for (let n = 0; n < CLASSES; n++) {
        const count = searches[slot * CLASSES + n] ?? 0;
        classes[n] = (classes[n] ?? 0) + count;
        questions += count;
      }
    }
    if (questions === 0) return { questions, writes: written };
    const of = (share: number): number => latencyAt(classes, share * questions);
    return { questions, writes: written, p50Ms: of(0.5), p95Ms: of(0.95), p99Ms: of(0.99) };
  }
}

function noneRecent(): Recent {
  return {
    searches: new Uint32Array(SLOTS * CLASSES),
    writes: new Uint32Array(SLOTS),
    slots: new Float64Array(SLOTS).fill(Number.NEGATIVE_INFINITY),
  };
}

function classOf(ms: number): number {
  const n = Math.ceil(Math.log(Math.max(ms, SHORTEST_MS) / SHORTEST_MS) / Math.log(RATIO));
  return Math.min(CLASSES - 1, n);
}

/** The middle of the class in which the n-th latency lies, in milliseconds with three digits. */
function latencyAt(classes: Uint32Array, n: number): number {
  let seen = 0;
  let at = 0;
  for (; at < CLASSES - 1; at++) {
    seen += classes[at] ?? 0;
    if (seen >= n) break;
  }
  return Number((SHORTEST_MS * RATIO ** (at - 0.5)).toPrecision(3));
}
