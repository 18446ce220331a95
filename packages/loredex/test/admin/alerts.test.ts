import { readFileSync } from "node:fs";
import type { FleetFigures } from "@loredex/core";
import { describe, expect, it } from "vitest";
import { Alerts, type Judged } from "../../src/admin/alerts.ts";

const RULES = readFileSync(new URL("../../../../docs/grafana/alerts.yml", import.meta.url), "utf8");

const NONE = {
  articles: 1,
  documents: 0,
  characterUsed: 10,
  quotaCharacters: 100,
  indexQueue: 0,
  indexFailures: 0,
  texts: 0,
  vectors: 0,
  documentsWaiting: 0,
  documentsGivenUp: 0,
  tokenCodesWaiting: 0,
  tokenCodesGivenUp: 0,
  embedderFailures: 0,
};

const bot = (id: string, figures: Partial<typeof NONE> = {}): FleetFigures => ({
  id,
  name: id,
  quotaCharacters: 100,
  figures: { ...NONE, ...figures },
});
const CALM: Judged = {
  condition: { canWrite: true, faults: [] },
  figures: { fleet: [] },
  traffic: {
    all: { questions: 0, writes: 0 },
    heads: { questions: 0, writes: 0 },
    failures: { failed: false, overloaded: false },
  },
  lateMs: 0,
};

describe("alerts", () => {
  it("are none while all is well, and those of the Prometheus rules by name", () => {
    const alerts = new Alerts(() => 0);
    expect(alerts.judge({ ...CALM, figures: { fleet: [bot("a")] } })).toEqual([]);
    const all = alerts.judge({
      condition: {
        canWrite: false,
        faults: [{ id: "a", kind: "damaged" }],
        unreachable: { answersSearches: true },
      },
      figures: { fleet: [bot("b", { indexFailures: 1 }), bot("c", { characterUsed: 91 })] },
      traffic: {
        all: { questions: 20, writes: 0, p95Ms: 1_100 },
        heads: { questions: 20, writes: 0, p95Ms: 110 },
        failures: { failed: true, overloaded: true },
      },
      lateMs: 501,
    });
    expect(all.map(({ name, severity, bots }) => [name, severity, bots])).toEqual([
      ["LoredexNotWritable", "critical", []],
      ["LoredexDatabaseUnreachable", "critical", []],
      ["LoredexBotFault", "critical", ["a"]],
      ["LoredexFailures", "critical", []],
      ["LoredexOverloaded", "warning", []],
      ["LoredexSlowSearches", "warning", []],
      ["LoredexDatabaseSlow", "warning", []],
      ["LoredexEventLoopLate", "warning", []],
      ["LoredexIndexFailures", "warning", ["b"]],
      ["LoredexQuotaNearlyUsed", "warning", ["c"]],
    ]);
    for (const { name, meaning } of all) {
      expect(RULES).toContain(`alert: ${name}\n`);
      expect(meaning).not.toBe("");
    }
  });

  /** The alerts of bots, judged at each of these minutes as the server does. */
  const judgedAt = (last: number, fleetAt: (minute: number) => FleetFigures[]): string[][] => {
    let minute = 0;
    const alerts = new Alerts(() => minute * 60_000);
    return Array.from({ length: last + 1 }, (_, at) => {
      minute = at;
      const judged = alerts.judge({ ...CALM, figures: { fleet: fleetAt(at) } });
      return judged.flatMap(({ name, bots }) => bots.map((id) => `${name} ${id}`));
    });
  };
  /** The first minute with an alert. */
  const firstOf = (said: readonly string[][]): number => said.findIndex((names) => names.length > 0);

  it("say that writes wait, only where that lasts", () => {
    const said = judgedAt(61, (at) => (at > 60 ? [] : [bot("a", { indexQueue: at === 20 ? 0 : 3 })]));
    expect(firstOf(said)).toBe(51);
    expect(said[51]).toEqual(["LoredexIndexBehind a"]);
    expect(said[61]).toEqual([]);
  });

  it.each<[name: string, waiting: (minute: number) => number, first: number]>([
    ["no vector comes", () => 5, 120],
    ["none comes any more", (at) => Math.max(100, 400 - at), 420],
    ["a long import is embedded as it comes", (at) => (at < 60 ? 10 * at : 600 + 5 * (at % 7) - at), -1],
    ["an import is over, and its documents get fewer", (at) => (at < 50 ? 20 * at : 1_000 - at), -1],
    ["none waits now and then", (at) => (at % 100 === 0 ? 0 : 7), -1],
  ])("say that vectors do not come by the slope of an hour: %s", (_, waiting, first) => {
    const said = judgedAt(440, (at) => [bot("a", { documentsWaiting: waiting(at) })]);
    expect(firstOf(said)).toBe(first);
    if (first > 0) expect(said[first]).toEqual(["LoredexUpgradeStuck a"]);
  });

  it("count what waits once a minute, however often they are read", () => {
    let nowMs = 0;
    const alerts = new Alerts(() => nowMs);
    const fleet = [bot("a", { documentsWaiting: 5 })];
    let first = 0;
    for (; first === 0 && nowMs <= 8_000_000; nowMs += 2_000) {
      if (alerts.judge({ ...CALM, figures: { fleet } }).length > 0) first = nowMs;
    }
    expect(first).toBe(7_200_000);
  });
});
