/** A request that anyone may make, without a key. */
export interface OpenRequest {
  /** Parameters of the path. */
  readonly parameters: ReadonlyMap<string, string>;
  /** The value of a header, by its lower-case name; undefined if it was not sent. */
  readonly header: (name: string) => string | undefined;
}
