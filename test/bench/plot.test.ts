import { describe, expect, it } from "vitest";
import { svgOf } from "../../bench/measuring/plot.ts";

const plot = {
  title: "Time & <size>",
  x: "passages",
  y: "µs",
  points: [
    { line: "ours", x: 10_000, y: 100 },
    { line: "ours", x: 1_000, y: 10 },
    { line: "theirs", x: 10_000, y: 101 },
  ],
};

describe("a plot", () => {
  const svg = svgOf(plot);

  it("has a line for each name, from the least to the greatest x", () => {
    const lines = [...svg.matchAll(/points="([^"]*)"/g)].map(([, points = ""]) => points.split(" ").map(placed));
    expect(lines).toHaveLength(2);
    const [from, to] = lines[0] ?? [];
    expect(from?.x).toBeLessThan(to?.x ?? 0);
    // Ten times as much lies above.
    expect(from?.y).toBeGreaterThan(to?.y ?? 0);
  });

  it("keeps the names of lines that end at one height apart", () => {
    const heights = ["ours", "theirs"].map((name) => Number(svg.match(`y="([^"]*)"[^>]*>${name}:`)?.[1]));
    expect(Math.abs((heights[0] ?? 0) - (heights[1] ?? 0))).toBeGreaterThanOrEqual(16);
  });

  it("has no mark of its own in its words", () => {
    expect(svg).toContain("Time &amp; &lt;size&gt;");
  });
});

function placed(point: string): { readonly x: number; readonly y: number } {
  const [x = 0, y = 0] = point.split(",").map(Number);
  return { x, y };
}
