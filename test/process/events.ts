/** A line of the writer. */
export interface Event {
  readonly try?: "put" | "delete";
  readonly done?: "put" | "delete";
  readonly lane?: number;
  readonly id?: string;
  readonly body?: string;
  /** When it was said, in milliseconds since the epoch. */
  readonly at?: number;
  readonly snapshot?: true;
  readonly purge?: true;
  readonly ready?: true;
}

/** Bodies of articles by their ids. */
export type State = Map<string, string>;
