/**
 * Draws docs/grafana/loredex.svg: the main panels of the dashboard, with the data of a run on this machine. Three bots are written to, searched and
 * imported into for half a minute while a fourth client breaks rules.
 *
 *     npx tsx tools/metrics-picture/main.ts
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { serve } from "loredex";
import { drawn, type Line, PANEL_HEIGHT, PANEL_WIDTH, type Panel } from "./panel.ts";
import { by, parsed, quantile, type Scrape } from "./scrapes.ts";

const SCRAPES = 60;
const SCRAPE_MS = 500;
const TARGET = fileURLToPath(new URL("../../docs/grafana/loredex.svg", import.meta.url));
const TITLE = "Searches, latencies, writes, refusals, memory and event loop of a run";
const WORDS =
  "parcel refund invoice password order return ship account price gift card address cancel delay label".split(" ");

const directory = await mkdtemp(join(tmpdir(), "loredex-picture-"));
const server = await serve({ directory, port: 0, metrics: { port: 0 }, embedders: {} });
const scrapes: Scrape[] = [];
let isOver = false;

const words = (from: number, count: number): string =>
  Array.from({ length: count }, (_, i) => WORDS[(from * 7 + i * (1 + (from % 5))) % WORDS.length]).join(" ");

/** One bot's clients, with a load that comes in waves. */
async function bot(name: string, pauseMs: number): Promise<void> {
  const { bot: made, key } = await server.engine.createBot({ name, rateCharactersPerMinute: 60_000 });
  const own = await server.engine.bot(made.id);
  const ask = async (path: string, body: unknown): Promise<void> => {
    const headers = { "x-api-key": key, "content-type": "application/json" };
    const url = `${server.url}/api/v1/knowledge${path}`;
    await (await fetch(url, { method: "POST", headers, redirect: "error", body: JSON.stringify(body) })).arrayBuffer();
  };
  for (let turn = 0; !isOver; turn++) {
    await ask("/search", { query: words(turn, 3) });
    if (turn % 5 === 0) await ask("", { title: `Article ${turn}`, body: words(turn, 120) });
    if (turn % 9 === 0) await ask("/search", { query: "" });
    const resourceDocId = `d${turn % 400}`;
    await own.importDocument({ resourceDocId, type: "WEBPAGE", content: [{ md: words(turn, 300) }] });
    await wait(pauseMs * (1.2 + Math.sin(scrapes.length / 6)));
  }
}

const clients = [bot("shop", 8), bot("bank", 20), bot("hotel", 45)];
for (let i = 0; i < SCRAPES; i++) {
  scrapes.push(parsed(await (await fetch(server.metricsUrl ?? "")).text()));
  await wait(SCRAPE_MS);
}
isOver = true;
await Promise.all(clients);
await server.close();
await rm(directory, { recursive: true });

/** How fast a counter grew, by one of its labels. */
function rates(metric: string, label: string): Line[] {
  const names = new Set(scrapes.flatMap((scrape) => [...by(scrape, metric, label).keys()]));
  const at = (i: number, name: string): number => {
    const scrape = scrapes[i];
    return scrape === undefined ? 0 : (by(scrape, metric, label).get(name) ?? 0);
  };
  return [...names].map((name) => ({
    name: name.length > 12 ? `…${name.slice(-6)}` : name,
    values: scrapes.slice(1).map((_, i) => ((at(i + 1, name) - at(i, name)) * 1_000) / SCRAPE_MS),
  }));
}

function plain(name: string, series: string): Line {
  return { name, values: scrapes.map((scrape) => scrape.get(series) ?? 0) };
}

function quantiles(share: number, name: string): Line {
  const values = scrapes
    .slice(1)
    .map((scrape, i) => quantile(share, "loredex_search_duration_seconds", scrapes[i] ?? scrape, scrape));
  return { name, values };
}

const perSecond = (value: number): string => `${value.toFixed(0)} /s`;
const inMs = (value: number): string => `${(value * 1_000).toFixed(1)} ms`;
const inMiB = (value: number): string => `${(value / 1_048_576).toFixed(0)} MiB`;

const panels: Panel[] = [
  { title: "Searches a second, by bot", show: perSecond, lines: rates("loredex_searches_total", "bot") },
  {
    title: "How long searches take",
    show: inMs,
    lines: [quantiles(0.5, "half"), quantiles(0.95, "95 %"), quantiles(0.99, "99 %")],
  },
  { title: "Writes a second, by kind", show: perSecond, lines: rates("loredex_writes_total", "kind") },
  { title: "Refusals a second, by reason", show: perSecond, lines: rates("loredex_refusals_total", "code") },
  {
    title: "Memory",
    show: inMiB,
    lines: [plain("process", "process_resident_memory_bytes"), plain("heap", "nodejs_heap_size_used_bytes")],
  },
  {
    title: "Event loop lag",
    show: inMs,
    lines: [plain("99 %", "nodejs_eventloop_lag_p99_seconds"), plain("mean", "nodejs_eventloop_lag_mean_seconds")],
  },
];

const [width, height] = [PANEL_WIDTH * 2, PANEL_HEIGHT * Math.ceil(panels.length / 2)];
const body = panels.map((panel, i) => drawn(panel, (i % 2) * PANEL_WIDTH, Math.floor(i / 2) * PANEL_HEIGHT));
const style = 'font-family="sans-serif" font-size="11" fill="#222"';
await writeFile(
  TARGET,
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" ${style}>\n<title>${TITLE}</title>\n${body.join("\n")}\n</svg>\n`,
);
console.log(`${TARGET}: ${SCRAPES} scrapes, one every ${SCRAPE_MS} ms`);
