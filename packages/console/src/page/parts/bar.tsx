import { score } from "../state/formats.ts";
import { t } from "../state/preferences.ts";

/** A score as a bar with its figure. */
export function ScoreBar({ value, label }: { value: number; label?: string }) {
  return (
    <span class="score">
      <span class="bar" aria-hidden="true">
        <span class="bar-fill" style={{ width: `${share(value)}%` }} />
      </span>
      <span class="score-figure">
        <span class="hidden">{label ?? t.value.ask.score} </span>
        {score(value)}
      </span>
    </span>
  );
}

/** A share as a short bar. Its text stands beside it. */
export function ShortBar({ value, isFull = false }: { value: number; isFull?: boolean }) {
  return (
    <span class="bar bar-short" aria-hidden="true">
      <span class={isFull ? "bar-fill bar-full" : "bar-fill"} style={{ width: `${share(value)}%` }} />
    </span>
  );
}

export interface Segment {
  readonly kind: "words" | "meaning" | "reranking";
  readonly value: number;
}

/** Parts of a score, one after the other. Its text equivalent is the legend beside it. */
export function StackedBar({ segments }: { segments: readonly Segment[] }) {
  return (
    <span class="bar bar-stacked" aria-hidden="true">
      {segments.map(({ kind, value }) => (
        <span key={kind} class={`bar-fill bar-${kind}`} style={{ width: `${share(value)}%` }} />
      ))}
    </span>
  );
}

function share(value: number): number {
  return Math.max(0, Math.min(1, value)) * 100;
}
