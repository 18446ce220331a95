/** Internal results of mammoth, which its types leave out. */
declare module "mammoth/lib/results.js" {
  export class Result {
    /** Makes a result, without messages by default. */
    constructor(value: unknown, messages?: readonly unknown[]);
    readonly value: unknown;
    readonly messages: readonly unknown[];
    flatMap(next: (value: unknown) => Result): Result;
    flatMapThen(next: (value: unknown) => PromiseLike<Result>): PromiseLike<Result>;
    /** Combines results into one with all values; lists among them are flattened. */
    static combine(results: readonly Result[]): Result;
  }
}
