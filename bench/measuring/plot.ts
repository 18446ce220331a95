import { mkdir, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

/** Lines over two axes of powers of ten, as an SVG that is read on light and dark pages alike. */
export interface Plot {
  readonly title: string;
  readonly x: string;
  readonly y: string;
  readonly points: readonly PlotPoint[];
}

export interface PlotPoint {
  /** The name of the line that it belongs to. */
  readonly line: string;
  /** Above 0, as `y`. */
  readonly x: number;
  readonly y: number;
}

const FOLDER = fileURLToPath(new URL("../../docs/plots/", import.meta.url));

/** Writes `docs/plots/NAME.svg`. */
export async function drawPlot(name: string, plot: Plot): Promise<void> {
  await mkdir(FOLDER, { recursive: true });
  await writeFile(`${FOLDER}${name}.svg`, svgOf(plot));
}

const [WIDTH, HEIGHT] = [760, 420];
const [LEFT, RIGHT, TOP, BOTTOM] = [70, 500, 40, 370];
/** Told apart without colour as well, by where the lines end. */
const COLOURS = ["#0b6e4f", "#c0392b", "#2c6fbb", "#b8860b", "#7d3c98", "#566573", "#d35400"];

export function svgOf({ title, x, y, points }: Plot): string {
  const across = axis(
    points.map((point) => point.x),
    LEFT,
    RIGHT,
  );
  const up = axis(
    points.map((point) => point.y),
    BOTTOM,
    TOP,
  );
  const names = [...new Set(points.map(({ line }) => line))];
  const lines = names.map((line, i) => {
    const own = points.filter((point) => point.line === line).sort((a, b) => a.x - b.x);
    return { line, colour: COLOURS[i % COLOURS.length] ?? "#000", own, end: up.at(own.at(-1)?.y ?? 1) };
  });
  const labels = apart(lines.map(({ end }) => end));
  const windows = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>`,
    text(LEFT, 22, title, "start", "#222"),
    ...across.ticks.flatMap((value) => [
      line(across.at(value), TOP, across.at(value), BOTTOM, "#ddd"),
      text(across.at(value), BOTTOM + 18, short(value), "middle", "#444"),
    ]),
    ...up.ticks.flatMap((value) => [
      line(LEFT, up.at(value), RIGHT, up.at(value), "#ddd"),
      text(LEFT - 8, up.at(value) + 4, short(value), "end", "#444"),
    ]),
    text((LEFT + RIGHT) / 2, BOTTOM + 38, x, "middle", "#444"),
    text(LEFT - 8, TOP - 8, y, "end", "#444"),
    ...lines.flatMap(({ line: name, colour, own }, i) => [
      `<polyline fill="none" stroke="${colour}" stroke-width="2" points="${own.map((point) => `${rounded(across.at(point.x))},${rounded(up.at(point.y))}`).join(" ")}"/>`,
      ...own.map(
        (point) =>
          `<circle cx="${rounded(across.at(point.x))}" cy="${rounded(up.at(point.y))}" r="3" fill="${colour}"/>`,
      ),
      text(RIGHT + 12, (labels[i] ?? 0) + 4, `${name}: ${short(own.at(-1)?.y ?? 0)}`, "start", colour),
    ]),
    "</svg>",
  ];
  return `${windows.join("\n")}\n`;
}

interface Axis {
  readonly at: (value: number) => number;
  readonly ticks: readonly number[];
}

/** From the power of ten below the least value to the one above the greatest. */
function axis(values: readonly number[], from: number, to: number): Axis {
  const low = Math.floor(Math.log10(Math.min(...values)));
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...values))));
  const ticks = Array.from({ length: high - low + 1 }, (_, i) => 10 ** (low + i));
  return { at: (value) => from + ((Math.log10(value) - low) / (high - low)) * (to - from), ticks };
}

const LABEL_HEIGHT = 16;

/** The same heights, moved down until no two labels touch. */
function apart(heights: readonly number[]): number[] {
  const places = [...heights];
  let free = Number.NEGATIVE_INFINITY;
  for (const { i } of heights.map((height, i) => ({ height, i })).sort((a, b) => a.height - b.height)) {
    places[i] = Math.max(places[i] ?? 0, free);
    free = (places[i] ?? 0) + LABEL_HEIGHT;
  }
  return places;
}

function line(x1: number, y1: number, x2: number, y2: number, colour: string): string {
  return `<line x1="${rounded(x1)}" y1="${rounded(y1)}" x2="${rounded(x2)}" y2="${rounded(y2)}" stroke="${colour}"/>`;
}

function text(x: number, y: number, words: string, anchor: "start" | "middle" | "end", colour: string): string {
  return `<text x="${rounded(x)}" y="${rounded(y)}" text-anchor="${anchor}" fill="${colour}">${escaped(words)}</text>`;
}

function short(value: number): string {
  if (value >= 1e6) return `${rounded(value / 1e6)}M`;
  if (value >= 1e4) return `${rounded(value / 1e3)}k`;
  return String(value >= 100 ? Math.round(value) : rounded(value));
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}

function escaped(words: string): string {
  return words.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
