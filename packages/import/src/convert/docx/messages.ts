import { Result } from "mammoth/lib/results.js";

/**
 * Has mammoth keep no messages of what it passes over: nobody reads them. It compares each with all others wherever it puts some together, which takes the square of their
 * number: a minute and more for a file of 50,000 paragraphs, each of a style of its own.
 */
export function keepNoMessages(): void {
  Result.combine = (results) => new Result(results.map(({ value }) => value).flat(Number.POSITIVE_INFINITY));
  Result.prototype.flatMap = function (next) {
    return new Result(next(this.value).value);
  };
  Result.prototype.flatMapThen = function (next) {
    return next(this.value).then(({ value }) => new Result(value));
  };
}
