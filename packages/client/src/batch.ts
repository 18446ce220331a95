import type { BatchOptions } from "./calls.ts";
import { LoredexError, refusalOf } from "./error.ts";
import { responseOf, type Sent, type Transport, type Waits } from "./transport.ts";
import type { BatchOperation, BatchResult } from "./types.ts";

type Means = Pick<BatchOptions, "onProgress" | "signal"> & { readonly waits: Waits };

/**
 * Sends all writes in one request, then each write that the rate refused again, in their order.
 * @param means.waits the waits of the whole call. Writes for which no time is left keep their 429
 */
export async function runBatch(
  transport: Transport,
  operations: readonly BatchOperation[],
  means: Means,
): Promise<BatchResult[]> {
  const { waits, onProgress, signal } = means;
  const results = await resultsOf(transport, operations, means);
  const total = operations.length;
  const answeredMs = waits.ms;
  const again = [...results.keys()].filter((i) => isWaiting(results[i]) && !isOvertaken(operations, results, i));
  let left = again.length;
  onProgress?.({ done: total - left, total, results: [...results] });
  for (const i of again) {
    // Time has passed since the first answer, if writes before it were waited for.
    let refusedMs = answeredMs;
    for (let attempt = 1; isWaiting(results[i]); attempt++) {
      const error = refusalOfResult(results[i]);
      const waitMs = transport.waitMs(error, attempt, false);
      if (waitMs === undefined || attempt >= transport.attemptsMax) break;
      const leftMs = refusedMs + waitMs - waits.ms;
      if (leftMs > 0 && !(await transport.wait(leftMs, error, waits, signal))) return results;
      const [result] = await resultsOf(transport, operations.slice(i, i + 1), means);
      if (result !== undefined) results[i] = result;
      refusedMs = waits.ms;
    }
    left--;
    onProgress?.({ done: total - left, total, results: [...results] });
  }
  return results;
}

/** Sends a batch. @throws {LoredexError} also if the answer has not one result for each operation */
async function resultsOf(
  transport: Transport,
  operations: readonly BatchOperation[],
  { waits, signal }: Means,
): Promise<BatchResult[]> {
  const isRepeatable = operations.every(({ op }) => op === "update" || op === "upsert");
  const sent: Sent = { method: "POST", path: "/batch", json: { operations }, signal, waits, isRepeatable };
  const { json } = await transport.send<{ readonly results?: unknown }>(sent);
  const results = json?.results;
  if (Array.isArray(results) && results.length === operations.length) return results;
  throw new LoredexError({
    message: "The answer is not from Loredex: it must have one result for each operation.",
  });
}

/** True if the rate has refused the write, and the service has told when it can succeed. */
function isWaiting(result: BatchResult | undefined): boolean {
  return result?.status === 429 && typeof result.retryAfter === "number";
}

function refusalOfResult(result: BatchResult | undefined): LoredexError {
  const { response, text } = responseOf(result, new Headers());
  return refusalOf(response, text);
}

/** True if a later write of the batch has changed the same article: sent again, this one would undo it. */
function isOvertaken(operations: readonly BatchOperation[], results: readonly BatchResult[], at: number): boolean {
  const article = articleOf(operations[at]);
  if (article === undefined) return false;
  return operations.some((other, i) => i > at && results[i]?.status === 200 && articleOf(other) === article);
}

/** A text that is equal for operations that name the same article in the same way; undefined for a create. */
function articleOf(operation: BatchOperation | undefined): string | undefined {
  if (operation === undefined || operation.op === "create") return undefined;
  if (operation.op !== "upsert") return JSON.stringify(operation.id);
  const keys = [operation.by].flat().sort();
  return JSON.stringify(keys.map((key) => [key, operation.article.metadata?.[key]]));
}
