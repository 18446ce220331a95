import type { ArgumentReport, ImportOutcome } from "@loredex/core";

export interface ImportProblem {
  /** File or address, with `:line` if it is known. */
  readonly place: string;
  readonly message: string;
}

type Count = "added" | "changed" | "unchanged" | "removed" | "failed";

/** Counts the results of an import, or of one of its arguments. An argument's results count for the whole as well. */
export class Tally {
  readonly #counts: Record<Count, number> = { added: 0, changed: 0, unchanged: 0, removed: 0, failed: 0 };
  readonly #problems: ImportProblem[] = [];
  readonly #problemsMax: number;
  readonly #whole: Tally | undefined;

  /** @param problemsMax maximum problems kept; all are counted */
  constructor(problemsMax: number, whole?: Tally) {
    this.#problemsMax = problemsMax;
    this.#whole = whole;
  }

  /** Counts a document that is imported and durable. */
  brought(outcome: ImportOutcome): void {
    this.#count(outcome === "replaced" ? "changed" : outcome);
  }

  removed(): void {
    this.#count("removed");
  }

  /** Records a file, a line or a document that could not be imported. */
  failed(problem: ImportProblem): void {
    this.#count("failed");
    for (let tally: Tally | undefined = this; tally !== undefined; tally = tally.#whole) {
      if (tally.#problems.length < tally.#problemsMax) tally.#problems.push(problem);
    }
  }

  /** Number of imported documents. */
  get documentsIn(): number {
    const { added, changed, unchanged } = this.#counts;
    return added + changed + unchanged;
  }

  get failures(): number {
    return this.#counts.failed;
  }

  report(): ArgumentReport {
    return { ...this.#counts, problems: [...this.#problems] };
  }

  #count(count: Count): void {
    for (let tally: Tally | undefined = this; tally !== undefined; tally = tally.#whole) tally.#counts[count] += 1;
  }
}
