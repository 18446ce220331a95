import type { Use } from "../corpora/judged-sets.ts";

/** What every bench is run with. */
export interface BenchOptions {
  /** Only to see that it runs: the figures mean nothing. */
  readonly short: boolean;
  readonly json: boolean;
  /** Of several sets, this one alone. */
  readonly only?: string;
  /** Of judged questions, those to choose settings by or those to report; default both. */
  readonly use?: Use;
  /** Numbers of passages, of benches that measure by size, instead of their own. */
  readonly sizes?: readonly number[];
  /** Whether the plots of docs/plots are drawn anew. */
  readonly plots?: boolean;
  /** Of relevance: bots of few articles instead of whole sets. */
  readonly small?: boolean;
  /** How many of these bots there are of each size and source. */
  readonly bots?: number;
  /** How long one run goes on, where a bench can go on for longer. */
  readonly minutes?: number;
}
