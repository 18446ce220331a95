import { type ArgumentPlace, ValidationError } from "@loredex/core";
import { reasonOfPath } from "../../files/user-files.ts";
import { KnownFiles } from "../belonging/known-files.ts";
import { noteOfLeftFiles, refuseIfRenamed } from "../belonging/left-place.ts";
import { isAlike } from "../belonging/likeness.ts";
import { planned, refuseIfMoved } from "../belonging/plan.ts";
import { keyOfTarget, STDIN, type Target, targetOf, targetOfArgument } from "../belonging/target.ts";
import { requireEncoding } from "../reading/encoding.ts";
import type { KeptOptions } from "../reading/settings.ts";
import { type ImportReport, type SharedOptions, sourceNameProblem } from "./import-options.ts";
import { ImportRun } from "./import-run.ts";
import type { ImportTarget } from "./import-target.ts";

/** An argument of an import, with its options. */
export interface AskedArgument {
  readonly path: string;
  /** The argument as the bot keeps it, if it was imported before. Then its path is no pattern. */
  readonly argument?: ArgumentPlace;
  readonly settings: KeptOptions;
}

export interface ImportArgumentsOptions extends SharedOptions {
  /** Known files of other sources; they are up to date when the import has ended. Default: they are asked for. */
  readonly known?: KnownFiles;
}

/**
 * Imports arguments into a bot, each with its own options. All of them are one import: a document missing from one may have come with another. Nothing is
 * removed of a source if one of its arguments was not fully read.
 * @throws LoredexError that keeps all documents out. Also for a folder that is not at its former place: then nothing was changed. The reason of the signal.
 */
export async function importArguments(
  bot: ImportTarget,
  asked: readonly AskedArgument[],
  given: ImportArgumentsOptions = {},
): Promise<ImportReport> {
  const options = withOwnSignal(given);
  const { source, botName = "BOT", signal } = options;
  for (const { settings } of asked) requireEncoding(settings);
  const badName = source === undefined ? undefined : sourceNameProblem(source);
  if (badName !== undefined) {
    throw new ValidationError([{ message: badName, field: "source", type: "sourceName" }]);
  }
  const targets = new Map<string, Target | string>();
  for (const { path, argument } of asked) {
    const isNameless = path === STDIN && source === undefined;
    signal?.throwIfAborted();
    targets.set(path, isNameless ? NAMELESS : await targetOr(argument ?? path));
  }
  const found = [...targets.values()].filter((target) => typeof target !== "string");
  const known = options.known ?? new KnownFiles(bot);
  await known.learn();
  const { sources } = known;
  const looksAlike = (target: Target, argument: ArgumentPlace): Promise<boolean> =>
    isAlike(target, argument, { source: source ?? "", files: known });
  const plans = await planned(once(found), { sources, name: source, isAlike: looksAlike });
  for (const plan of plans) {
    // A file that another argument has imported stays with that.
    if (known.at(plan.target.real).length === 0) await refuseIfMoved(plan, sources, botName);
    await refuseIfRenamed(plan, sources, { known, bot: botName });
  }
  signal?.throwIfAborted();
  const left = await noteOfLeftFiles(plans, sources, { known, bot: botName });
  const settings = new Map(asked.map((one) => [one.path, one.settings]));
  const planOf = new Map(plans.map((plan) => [plan.target, plan]));
  const running = new ImportRun(bot, options, { known, sources, isShared: options.known !== undefined });
  let isKnownRight = false;
  try {
    for (const [path, target] of targets) {
      const plan = typeof target === "string" ? undefined : planOf.get(target);
      if (typeof target === "string") running.miss(path, target);
      else if (plan !== undefined) await running.take(plan, settings.get(path) ?? {});
    }
    await running.end();
    isKnownRight = plans.every(({ isKnown, takesOver }) => isKnown && takesOver === undefined);
  } finally {
    if (isKnownRight) running.tellKnown();
    else known.forget();
    await running.close();
  }
  if (left !== undefined) running.note(left);
  return running.report();
}

/** Gives each import its own signal that follows the common one, so that no signal has more listeners than one import needs. */
function withOwnSignal(options: ImportArgumentsOptions): ImportArgumentsOptions {
  return options.signal === undefined ? options : { ...options, signal: AbortSignal.any([options.signal]) };
}

const NAMELESS = "what comes by the standard input has no path; say with --source NAME whose it is";

async function targetOr(asked: string | ArgumentPlace): Promise<Target | string> {
  try {
    return await (typeof asked === "string" ? targetOf(asked) : targetOfArgument(asked));
  } catch (error) {
    return reasonOfPath(typeof asked === "string" ? asked : asked.path, error);
  }
}

/** Removes later targets at the same real path: a target named twice counts once. */
function once(targets: readonly Target[]): Target[] {
  return [...new Map([...targets].reverse().map((target) => [keyOfTarget(target), target])).values()].reverse();
}
