import uPlot from "uplot";
import type { RunSummary } from "../../api/types.ts";
import { decimal } from "../../state/formats.ts";

/** Draws the curve into an element, as wide as that is, in the colours of the page. Returns what ends it. */
export function drawCurve(
  element: HTMLElement,
  runs: readonly RunSummary[],
  height: number,
  language: string,
): () => void {
  const style = getComputedStyle(element);
  const colour = (name: string): string => style.getPropertyValue(name).trim();
  const axis = {
    stroke: colour("--muted"),
    grid: { stroke: colour("--line"), width: 1 },
    ticks: { show: false },
    font: "12px system-ui, sans-serif",
  };
  const xs = runs.map(({ at }) => new Date(at).getTime() / 1000);
  const ys = runs.map(({ measures }) => measures.ndcgAt10);
  const dates = new Intl.DateTimeFormat(language, { day: "numeric", month: "short" });
  const times = new Intl.DateTimeFormat(language, { hour: "2-digit", minute: "2-digit" });
  const first = Math.min(...xs);
  const last = Math.max(...xs);
  const span = last - first;
  const margin = span === 0 ? 1800 : span / 30;
  const format = span > 172_800 ? dates : times;
  const lowest = Math.min(...ys);
  const plot = new uPlot(
    {
      width: element.clientWidth,
      height,
      legend: { show: false },
      cursor: { show: false },
      padding: [12, 12, 0, 0],
      scales: {
        x: { time: true, range: [first - margin, last + margin] },
        y: { range: [Math.max(0, Math.floor(lowest * 10 - 0.5) / 10), 1] },
      },
      series: [
        {},
        {
          stroke: colour("--accent"),
          width: 2,
          fill: colour("--accent-soft"),
          points: { show: true, size: 7, fill: colour("--surface"), stroke: colour("--accent"), width: 2 },
        },
      ],
      axes: [
        {
          ...axis,
          values: (_, splits) => splits.map((each) => format.format(new Date(each * 1000))),
          space: 90,
          size: 28,
        },
        {
          ...axis,
          values: (_, splits) =>
            splits.map((each) =>
              decimal(each, splits.some((split) => Math.abs(split * 10 - Math.round(split * 10)) > 0.001) ? 2 : 1),
            ),
          size: 36,
          space: 36,
        },
      ],
    },
    [xs, ys],
    element,
  );
  const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }));
  observer.observe(element);
  return () => {
    observer.disconnect();
    plot.destroy();
  };
}
