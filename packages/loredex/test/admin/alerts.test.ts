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

  it("say that writes wait or vectors do not come, only where that lasts", () => {
    let nowMs = 0;
    const alerts = new Alerts(() => nowMs);
    const names = (...fleet: FleetFigures[]): string[] =>
      alerts.judge({ ...CALM, figures: { fleet } }).flatMap(({ name, bots }) => bots.map((id) => `${name} ${id}`));
    const busy = bot("a", { indexQueue: 3, documentsWaiting: 5 });
    expect(names(busy)).toEqual([]);
    nowMs = 30 * 60_000;
    expect(names(busy)).toEqual(["LoredexIndexBehind a"]);
    expect(names(bot("a", { documentsWaiting: 4 }))).toEqual([]);
    nowMs += 119 * 60_000;
    expect(names(bot("a", { documentsWaiting: 4 }))).toEqual([]);
    nowMs += 60_000;
    expect(names(bot("a", { documentsWaiting: 6 }))).toEqual(["LoredexUpgradeStuck a"]);
    expect(names(bot("a", { documentsWaiting: 3 }))).toEqual([]);
    expect(names(bot("a"))).toEqual([]);
    expect(names()).toEqual([]);
  });
});
