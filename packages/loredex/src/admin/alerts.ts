import type { EngineCondition, EngineFigures, FleetFigures } from "@loredex/core";
import type { AdminAlert } from "@loredex/http";
import type { Traffic } from "./traffic.ts";

/** The alerts of docs/metrics.md that the server can see of itself, with their severity and meaning. */
const ALERTS = {
  LoredexNotWritable: {
    severity: "critical",
    meaning:
      "Nothing can be written in the data directory; reading still works. Check the room on the disk, permissions, and whether it is mounted read-only. Writes come back by themselves.",
  },
  LoredexDatabaseUnreachable: {
    severity: "critical",
    meaning:
      "The database that nodes share does not answer. Writes are refused, and searches soon will be. `loredex doctor --store URL` says why it does not answer.",
  },
  LoredexDatabaseSlow: {
    severity: "warning",
    meaning:
      "Before each search this node waits for the database for a tenth of a second. Is it overloaded or far away? `--max-staleness` saves that wait.",
  },
  LoredexBotFault: {
    severity: "critical",
    meaning:
      "The files of a bot are damaged or cannot be used; all other bots are served. `loredex bot list` names the file and its fault.",
  },
  LoredexFailures: {
    severity: "critical",
    meaning: "Requests fail because of the disk, of open files, or of an unexpected error. The log has the reason.",
  },
  LoredexOverloaded: {
    severity: "warning",
    meaning:
      "Requests are turned away, or searches take longer than they may. Find the bot that is asked so much; give more memory, or another server for some bots.",
  },
  LoredexSlowSearches: {
    severity: "warning",
    meaning:
      "One search in twenty takes more than a second. Is an embedder slow? `loredex doctor` says so. Are bots opened again and again? Raise `--memory`.",
  },
  LoredexEventLoopLate: {
    severity: "warning",
    meaning: "The one thread comes half a second late to what is due: the machine is too busy, or swaps.",
  },
  LoredexIndexBehind: {
    severity: "warning",
    meaning:
      "Writes have waited to be searchable for half an hour. Is there a large import? Else search the log for `indexFailed`.",
  },
  LoredexIndexFailures: {
    severity: "warning",
    meaning:
      "Versions of documents could not be indexed, and are not found. The log has `indexFailed` with the reason.",
  },
  LoredexUpgradeStuck: {
    severity: "warning",
    meaning:
      "Documents wait for vectors, and for two hours they have not become fewer. `loredex bot show` says why. They are found by words meanwhile.",
  },
  LoredexQuotaNearlyUsed: {
    severity: "warning",
    meaning:
      "The articles have nine tenths of the quota. Tell the owner, or raise it: `loredex bot set BOT --quota N`.",
  },
} as const satisfies Record<string, Pick<AdminAlert, "severity" | "meaning">>;

type AlertName = keyof typeof ALERTS;

/** Bounds of the alerts, as in docs/grafana/alerts.yml. */
const SLOW_SEARCH_MS = 1_000;
const SLOW_DATABASE_MS = 100;
const LATE_MS = 500;
const INDEX_BEHIND_MS = 30 * 60_000;
/** The slope of what waits is that of the last hour. It must not have fallen for an hour, of two hours in all in which documents wait. */
const UPGRADE_SLOPE_MS = 3_600_000;
/** The pause between two counts of what waits. */
const COUNTED_MS = 60_000;
const QUOTA_SHARE = 0.9;
/** With fewer searches in a minute, one slow one says nothing. */
const SEARCHES_MIN = 20;

/** What alerts are judged by. */
export interface Judged {
  readonly condition: EngineCondition;
  readonly figures: Pick<EngineFigures, "fleet">;
  readonly traffic: Pick<Traffic, "all" | "heads" | "failures">;
  /** The latest delay of the event loop, as its 99th percentile in milliseconds. */
  readonly lateMs: number;
}

/** Judges which alerts there are. Some are about a time: so {@link Alerts.judge} is called now and then, whether its answer is read or not. */
export class Alerts {
  readonly #nowMs: () => number;
  /** Since when documents of a bot wait for the index, by its id. */
  readonly #behindSince = new Map<string, number>();
  /** By bot, how many documents wait for vectors. */
  readonly #waiting = new Map<string, Waiting>();

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** The alerts of this moment, critical ones first. */
  judge({ condition, figures: { fleet }, traffic, lateMs }: Judged): AdminAlert[] {
    const alerts: AdminAlert[] = [];
    const say = (name: AlertName, isSo: boolean): void => {
      if (isSo) alerts.push({ name, ...ALERTS[name], bots: [] });
    };
    const sayOf = (name: AlertName, bots: readonly string[]): void => {
      if (bots.length > 0) alerts.push({ name, ...ALERTS[name], bots });
    };
    const those = (isSo: (bot: FleetFigures) => boolean): string[] => fleet.filter(isSo).map(({ id }) => id);
    const { all, heads, failures } = traffic;
    say("LoredexNotWritable", !condition.canWrite);
    say("LoredexDatabaseUnreachable", condition.unreachable !== undefined);
    sayOf("LoredexBotFault", [...new Set(condition.faults.map(({ id }) => id))]);
    say("LoredexFailures", failures.failed);
    say("LoredexOverloaded", failures.overloaded);
    say("LoredexSlowSearches", all.questions >= SEARCHES_MIN && (all.p95Ms ?? 0) > SLOW_SEARCH_MS);
    say("LoredexDatabaseSlow", heads.questions >= SEARCHES_MIN && (heads.p95Ms ?? 0) > SLOW_DATABASE_MS);
    say("LoredexEventLoopLate", lateMs > LATE_MS);
    sayOf("LoredexIndexBehind", this.#behind(fleet));
    sayOf(
      "LoredexIndexFailures",
      those(({ figures }) => (figures?.indexFailures ?? 0) > 0),
    );
    sayOf("LoredexUpgradeStuck", this.#stuck(fleet));
    const isNearlyUsed = ({ figures, quotaCharacters }: FleetFigures): boolean =>
      (figures?.characterUsed ?? 0) > QUOTA_SHARE * quotaCharacters;
    sayOf("LoredexQuotaNearlyUsed", those(isNearlyUsed));
    return alerts.sort((a, b) => rankOf(a) - rankOf(b));
  }

  #behind(fleet: readonly FleetFigures[]): string[] {
    const waiting = new Set(fleet.flatMap(({ id, figures }) => ((figures?.indexQueue ?? 0) > 0 ? [id] : [])));
    for (const id of this.#behindSince.keys()) if (!waiting.has(id)) this.#behindSince.delete(id);
    for (const id of waiting) if (!this.#behindSince.has(id)) this.#behindSince.set(id, this.#nowMs());
    return [...this.#behindSince].flatMap(([id, sinceMs]) => (this.#nowMs() - sinceMs >= INDEX_BEHIND_MS ? [id] : []));
  }

  #stuck(fleet: readonly FleetFigures[]): string[] {
    const nowMs = this.#nowMs();
    const waiting = new Map(fleet.map(({ id, figures }) => [id, figures?.documentsWaiting ?? 0]));
    for (const id of this.#waiting.keys()) if ((waiting.get(id) ?? 0) === 0) this.#waiting.delete(id);
    return [...waiting].flatMap(([id, count]) => {
      if (count === 0) return [];
      const known = this.#waiting.get(id) ?? { begunMs: nowMs, counts: [], sinceMs: undefined };
      const isDue = nowMs - (known.counts.at(-1)?.atMs ?? Number.NEGATIVE_INFINITY) >= COUNTED_MS;
      const counts = [...known.counts, ...(isDue ? [{ atMs: nowMs, count }] : [])];
      const recent = counts.filter(({ atMs }) => nowMs - atMs <= UPGRADE_SLOPE_MS);
      const sinceMs = isFalling(recent) ? undefined : (known.sinceMs ?? nowMs);
      this.#waiting.set(id, { ...known, counts: recent, sinceMs });
      const isLasting = nowMs - known.begunMs >= 2 * UPGRADE_SLOPE_MS;
      return isLasting && sinceMs !== undefined && nowMs - sinceMs >= UPGRADE_SLOPE_MS ? [id] : [];
    });
  }
}

interface Waiting {
  /** Since when documents wait. */
  readonly begunMs: number;
  /** Of the last hour, oldest first. */
  readonly counts: readonly Count[];
  /** Since when they do not fall. */
  readonly sinceMs: number | undefined;
}

interface Count {
  readonly atMs: number;
  readonly count: number;
}

/** Whether the line of the least squares through the counts falls, as `deriv` of Prometheus tells it. */
function isFalling(counts: readonly Count[]): boolean {
  const meanOf = (of: (count: Count) => number): number =>
    counts.reduce((sum, each) => sum + of(each), 0) / counts.length;
  const [middleMs, mean] = [meanOf(({ atMs }) => atMs), meanOf(({ count }) => count)];
  return counts.reduce((sum, { atMs, count }) => sum + (atMs - middleMs) * (count - mean), 0) < 0;
}

function rankOf({ severity }: AdminAlert): number {
  return severity === "critical" ? 0 : 1;
}
