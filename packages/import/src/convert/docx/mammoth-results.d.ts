/** What mammoth's own parts give each other; its types do not tell of it. */
declare module "mammoth/lib/results.js" {
  export class Result {
    /** A result without messages where none are given. */
    constructor(value: unknown, messages?: readonly unknown[]);
    readonly value: unknown;
    readonly messages: readonly unknown[];
    flatMap(next: (value: unknown) => Result): Result;
    flatMapThen(next: (value: unknown) => PromiseLike<Result>): PromiseLike<Result>;
    /** One of the values of all, lists among them taken apart. */
    static combine(results: readonly Result[]): Result;
  }
}
