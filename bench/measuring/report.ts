import type { BenchOptions } from "./bench-options.ts";
import { printTable } from "./table.ts";

/** What a figure is held against. */
export interface Aim {
  readonly what: string;
  /** Undefined where this run has not measured it. */
  readonly measured: number | undefined;
  readonly aim: number;
  readonly is: "at most" | "at least";
}

export interface BesideAim {
  readonly aim: string;
  readonly measured: number;
  /** What was measured as a share of what is aimed at. */
  readonly "× aim": number;
  readonly met: "yes" | "no";
}

export function besideAims(aims: readonly Aim[]): BesideAim[] {
  return aims.flatMap(({ what, measured, aim, is }) => {
    if (measured === undefined || !Number.isFinite(measured)) return [];
    const isMet = is === "at most" ? measured <= aim : measured >= aim;
    return [{ aim: `${what} ${is} ${aim}`, measured, "× aim": measured / aim, met: isMet ? "yes" : "no" }];
  });
}

/** Prints what was measured and how it stands beside what is aimed at: as two tables, or as one line of JSON. */
export function report({ json }: Pick<BenchOptions, "json">, rows: readonly object[], aims: readonly Aim[] = []): void {
  const beside = besideAims(aims);
  if (json) {
    console.log(JSON.stringify({ rows, aims: beside }));
    return;
  }
  printTable(rows);
  if (beside.length === 0) return;
  console.log("");
  printTable(beside);
}
