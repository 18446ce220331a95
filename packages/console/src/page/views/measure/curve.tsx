import { useEffect, useRef, useState } from "preact/hooks";
import type { RunSummary } from "../../api/types.ts";
import { dateTime, locale, score3 } from "../../state/formats.ts";
import { t, theme } from "../../state/preferences.ts";

const HEIGHT = 220;

/** nDCG of the runs over time. The table of runs beside it has the same figures as text. */
export function Curve({ runs }: { runs: readonly RunSummary[] }) {
  const words = t.value.measure;
  const box = useRef<HTMLDivElement>(null);
  const [darkness, setDarkness] = useState(0);
  const last = runs.at(-1);
  useEffect(() => {
    const scheme = matchMedia("(prefers-color-scheme: dark)");
    const redraw = (): void => setDarkness((before) => before + 1);
    scheme.addEventListener("change", redraw);
    return () => scheme.removeEventListener("change", redraw);
  }, []);
  // It is drawn again in other colours.
  useEffect(() => {
    const element = box.current;
    if (element === null || runs.length === 0) return;
    let end: (() => void) | undefined;
    let isOver = false;
    // The library of charts is loaded by the views that draw.
    void import("./draw-curve.ts").then(({ drawCurve }) => {
      if (!isOver) end = drawCurve(element, runs, HEIGHT, locale());
    });
    return () => {
      isOver = true;
      end?.();
    };
  }, [runs, theme.value, darkness, locale()]);
  return (
    <figure class="card curve" aria-label={words.figure}>
      <figcaption>
        <strong>{words.figure}</strong>
        {last === undefined ? (
          <span class="muted">{words.noRuns}</span>
        ) : (
          <span class="muted">
            {score3(last.measures.ndcgAt10)} · {dateTime(last.at)}
          </span>
        )}
      </figcaption>
      {runs.length > 0 && <div ref={box} aria-hidden="true" style={{ height: `${HEIGHT}px` }} />}
    </figure>
  );
}
