import { Result } from "mammoth/lib/results.js";

/**
 * Stops mammoth from keeping messages on skipped content: nobody reads them. Mammoth compares each message with all others when it combines results, in
 * quadratic time. A file of 50,000 paragraphs, each with its own style, took a minute and more.
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
