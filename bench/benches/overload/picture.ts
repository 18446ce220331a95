import { drawn, type Line, PANEL_HEIGHT, PANEL_WIDTH, type Panel } from "../../../tools/metrics-picture/panel.ts";
import { percentile } from "../../measuring/measures.ts";
import type { Outcome } from "./messages.ts";
import type { Load, Measured } from "./scene.ts";

/** How one load went over time, at each height of it, as SVG. */

const MEBIBYTE = 1_048_576;
/** So many points a line. */
const POINTS = 60;

type Runs = readonly (readonly [name: string, Measured])[];

export function picture(load: Load, runs: Runs): string {
  const seconds = Math.max(...runs.map(([, { quiet }]) => quiet.seconds));
  const over = seconds < 120 ? `${Math.round(seconds)} seconds` : `${Math.round(seconds / 60)} minutes`;
  const inMs = (value: number): string => `${value < 10 ? value.toFixed(1) : value.toFixed(0)} ms`;
  const inMiB = (value: number): string => `${(value / MEBIBYTE).toFixed(0)} MiB`;
  const each = (line: (run: Measured) => Omit<Line, "name">, what = ""): Line[] =>
    runs.map(([name, run]) => ({ name: `${what}${name}`, ...line(run) }));
  const slowest = (outcome: (run: Measured) => Outcome) => (run: Measured) => ({
    values: slices(outcome(run).answers, outcome(run).seconds).map((all) => percentile(all, 0.99)),
  });
  const sampled = (value: (sample: Measured["served"]["samples"][number]) => number) => (run: Measured) => ({
    values: slices(
      run.served.samples.map((sample) => [sample.atMs, value(sample)] as const),
      run.quiet.seconds,
    ).map((all) => Math.max(0, ...all)),
  });
  const panels: Panel[] = [
    { title: `Quiet bot, 99 % of its answers (${over})`, show: inMs, lines: each(slowest(({ quiet }) => quiet)) },
    { title: "/health over new connections, 99 %", show: inMs, lines: each(slowest(({ health }) => health)) },
    { title: `Loud bot (${load}): what is done, 99 %`, show: inMs, lines: each(slowest(({ loud }) => loud)) },
    { title: "Longest turn of the event loop", show: inMs, lines: each(sampled(({ loopMs }) => loopMs)) },
    {
      title: "Memory of the process",
      show: inMiB,
      lines: each(sampled(({ residentBytes }) => residentBytes)),
    },
    { title: "Heap in use", show: inMiB, lines: each(sampled(({ heapBytes }) => heapBytes)) },
  ];
  const [width, height] = [PANEL_WIDTH * 2, PANEL_HEIGHT * Math.ceil(panels.length / 2)];
  const body = panels.map((panel, i) => drawn(panel, (i % 2) * PANEL_WIDTH, Math.floor(i / 2) * PANEL_HEIGHT));
  const style = 'font-family="sans-serif" font-size="11" fill="#222"';
  const title = `Overload by ${load}, at ${runs.map(([name]) => name).join(" and ")} what the server can do`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" ${style}>\n<title>${title}</title>\n${body.join("\n")}\n</svg>\n`;
}

/** Values by the part of the time in which they were taken; a part without any has those of the one before. */
function slices(values: readonly (readonly [atMs: number, value: number])[], seconds: number): readonly number[][] {
  const points = Math.max(1, Math.min(POINTS, Math.floor(seconds)));
  const all: number[][] = Array.from({ length: points }, () => []);
  for (const [atMs, value] of values)
    all[Math.min(points - 1, Math.floor((atMs / 1_000 / seconds) * points))]?.push(value);
  for (const [i, slice] of all.entries()) if (slice.length === 0) slice.push(...(all[i - 1] ?? []));
  return all;
}
