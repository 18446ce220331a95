import { setTimeout as wait } from "node:timers/promises";
import { foundBy, isShortOfMemory, type SearchOptions, type Upgrade, type VectorStats } from "@loredex/core";
import { whileShort } from "@loredex/import";
import type { BotDetails, Operator } from "../operator/operator.ts";
import { Pace } from "../terminal/pace.ts";
import type { Progress } from "../terminal/progress.ts";
import { grouped, oneLine, type Terminal } from "../terminal/terminal.ts";

/** The interval between two progress updates, in milliseconds. */
const PROGRESS_MS = 500;

/** Waits until every document has its vectors, or no more can be made for now. Shows the progress. */
export function vectorsMade(operator: Operator, bot: string, progress: Progress): Promise<Upgrade> {
  const paces = { vectors: new Pace(), tokenCodes: new Pace() };
  return withProgress(operator.whenUpgraded(bot), {
    operator,
    bot,
    progress,
    line: (vectors) => readLine(vectors, paces),
  });
}

interface Shown {
  readonly operator: Operator;
  readonly bot: string;
  readonly progress: Progress;
  readonly line: (vectors: VectorStats) => string;
}

/** Shows the progress of a bot during some work. */
export async function withProgress<Result>(
  work: Promise<Result>,
  { operator, bot, progress, line }: Shown,
): Promise<Result> {
  let isOver = false;
  const over = work.then(
    () => {
      isOver = true;
    },
    () => {
      isOver = true;
    },
  );
  while (!isOver) {
    // If this call fails, the work fails too, and says why.
    const details = await Promise.race([operator.showBot(bot).catch(() => undefined), over]);
    if (details !== undefined) progress.update(line(details.stats.vectors));
    await Promise.race([over, wait(PROGRESS_MS, undefined, { ref: false })]);
  }
  return await work;
}

function readLine(
  { vectors, texts, tokenCodes, documentsWaiting, lastFailure }: VectorStats,
  paces: Readonly<Record<"vectors" | "tokenCodes", Pace>>,
): string {
  // Token codes are made with the vectors, or alone if only they are missing.
  const isTokenCodes = documentsWaiting === 0 && tokenCodes !== undefined && tokenCodes.documentsWaiting > 0;
  const [made, what, pace] = isTokenCodes
    ? [tokenCodes.texts, "token codes for reranking", paces.tokenCodes]
    : [vectors, "vectors", paces.vectors];
  const read = `${grouped(made)} of ${grouped(texts)} ${what} made by the embedder${pace.rate(made)}${pace.left(made, texts)}`;
  return lastFailure === undefined ? read : `${read}; it is tried again: ${oneLine(lastFailure)}`;
}

/** Reports why a bot's embedder cannot be used, with the same text as everywhere. */
export function tellMissing({ stats }: Pick<BotDetails, "stats">, terminal: Terminal): void {
  const { missing } = stats.vectors;
  if (missing !== undefined) terminal.err(`${oneLine(missing.story)}\n`);
}

/** Reports that a bot's newest documents are in another language than its own, with the same text as everywhere. */
export function tellOtherLanguage({ advice = [] }: Pick<BotDetails, "advice">, terminal: Terminal): void {
  for (const { kind, story } of advice) if (kind === "otherLanguage") terminal.err(`${oneLine(story)}\n`);
}

/**
 * Reports a missing embedder of a question, or missing token codes. Reports nothing for questions that use the static embedder.
 * Documents that wait for the embedder are reported by imports, and so not by every search.
 */
export async function tellMissingReader(
  operator: Operator,
  bot: string,
  { quality }: Pick<SearchOptions, "quality">,
  terminal: Terminal,
): Promise<void> {
  const details = await operator.showBot(bot);
  const { missing, documentsWaiting } = details.stats.vectors;
  const isSaidByImports = missing === undefined && documentsWaiting > 0;
  const left = (quality ?? details.bot.quality) === "fast" || isSaidByImports ? undefined : unfinished(details);
  if (left !== undefined) terminal.err(`${oneLine(left)}\n`);
}

/**
 * Reports the documents that wait for vectors, at the end of an import.
 * If the import changed nothing, reports only a wait that the operator must end.
 */
export function tellUnfinished(details: BotDetails, hasBrought: boolean, terminal: Terminal): void {
  const left = hasBrought ? unfinished(details) : stuck(details);
  if (left !== undefined) terminal.err(`${oneLine(left)}\n`);
}

/** The documents that wait for vectors, in a line; undefined if none does. */
export function unfinished(details: BotDetails): string | undefined {
  const { documentsWaiting, tokenCodes, ...vectors } = details.stats.vectors;
  const left = stuck(details);
  if (left !== undefined) return left;
  if (documentsWaiting > 0)
    return `${documentsAre(documentsWaiting)} ${foundMeanwhile(vectors)} until the embedder has read all: ${WHO_MAKES}`;
  if (tokenCodes === undefined) return undefined;
  if (tokenCodes.documentsWaiting > 0)
    return `${documentsAre(tokenCodes.documentsWaiting)} found without reranking until its token codes are made: ${WHO_MAKES}`;
  if (tokenCodes.documentsGivenUp === 0) return undefined;
  return `${documentsAre(tokenCodes.documentsGivenUp)} found without reranking: the token codes could not be made or kept, which the log tells, and are tried again after the next start.`;
}

/** The documents that wait until the operator repairs something, in a line; undefined if none does. */
function stuck({ stats: { vectors } }: BotDetails): string | undefined {
  const { missing, blocked, documentsWaiting } = vectors;
  if (missing !== undefined) return missing.story;
  if (documentsWaiting === 0 || blocked === undefined) return undefined;
  return `${documentsAre(documentsWaiting)} ${foundMeanwhile(vectors)}, and that stays so until this is mended: ${blocked}`;
}

function foundMeanwhile({ staticVectors }: Pick<VectorStats, "staticVectors">): string {
  return `found ${foundBy(staticVectors > 0 ? "static" : "words")}`;
}

const WHO_MAKES = "a running server does that by itself, and so do import, restore and eval with --wait-vectors.";

function documentsAre(count: number): string {
  return count === 1 ? "1 document is" : `${grouped(count)} documents are`;
}

/**
 * Waits until all documents can be found by BM25. If memory is short, waits for up to a minute, and then resolves with the service's message.
 * @param onWait called when the wait for memory begins
 */
export async function searchable(operator: Operator, bot: string, onWait: (reason: string) => void): Promise<string> {
  try {
    await whileShort(() => operator.whenSearchable(bot), { onWait });
    return "";
  } catch (error) {
    if (isShortOfMemory(error)) return error.message;
    throw error;
  }
}

/** Makes a function that reports once that an import or a sync waits for memory. */
export function waitTeller(progress: Progress, terminal: Terminal): (reason: string) => void {
  return (reason) => {
    progress.clear();
    terminal.err(`Waiting for up to a minute: ${oneLine(reason)}\n`);
  };
}
