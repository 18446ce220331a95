import { readFileSync } from "node:fs";
import { expect, it, onTestFinished } from "vitest";
import { parse } from "yaml";
import { SimulatedDatabase } from "../../../core/testing/index.ts";
import { Engine } from "../../src/index.ts";
import { openMetrics } from "../../src/metrics/open-metrics.ts";

const read = (name: string): string => readFileSync(new URL(`../../../../docs/${name}`, import.meta.url), "utf8");

/** What Prometheus and its language know by themselves. */
const WORDS = new Set(
  "up job instance bot kind result code outcome route status level event le by sum min max rate increase topk deriv and or vector histogram_quantile min_over_time".split(
    " ",
  ),
);

/** Names of metrics in an expression: without strings, variables and times. */
function namesIn(expression: string): string[] {
  const bare = expression.replace(/"[^"]*"|\[[^\]]*\]|\$\w+/g, " ");
  return (bare.match(/[a-z_][a-z0-9_]*/gi) ?? []).filter((name) => !WORDS.has(name));
}

/** All metrics of a node: a server that shares no database lacks some of them. */
async function allMetrics(): Promise<string> {
  const metrics = await openMetrics();
  const engine = await Engine.open({
    storage: new SimulatedDatabase().open(),
    embedders: {},
    onStatement: metrics.onStatement,
  });
  onTestFinished(() => engine.close());
  metrics.watch(engine);
  return metrics.text();
}

/** Every series that can be had: a histogram has three. */
async function series(): Promise<ReadonlySet<string>> {
  const text = await allMetrics();
  const types = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)];
  return new Set(
    types.flatMap(([, name = "", type]) =>
      type === "histogram" ? ["_bucket", "_sum", "_count"].map((end) => name + end) : [name],
    ),
  );
}

interface Dashboard {
  readonly panels: readonly { readonly title: string; readonly targets: readonly { readonly expr: string }[] }[];
}
interface Rules {
  readonly groups: readonly { readonly rules: readonly { readonly alert: string; readonly expr: string }[] }[];
}

const dashboard: Dashboard = JSON.parse(read("grafana/loredex.json"));
const rules: Rules = parse(read("grafana/alerts.yml"));
const alerts = rules.groups.flatMap((group) => group.rules);

it("the dashboard and the alerts ask for metrics that there are", async () => {
  const known = await series();
  const expressions = [...dashboard.panels.flatMap(({ targets }) => targets), ...alerts].map(({ expr }) => expr);
  expect(expressions.length).toBeGreaterThan(25);
  const asked = new Set(expressions.flatMap(namesIn));
  expect([...asked].filter((name) => !known.has(name))).toEqual([]);
});

it("the page on metrics has every metric of ours, and what each alert means", async () => {
  const page = read("metrics.md");
  const text = await allMetrics();
  const names = [...text.matchAll(/^# TYPE (loredex_\S+) /gm)].map(([, name = ""]) => name);
  expect(names.length).toBeGreaterThan(20);
  expect([...names, ...alerts.map(({ alert }) => alert)].filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});
