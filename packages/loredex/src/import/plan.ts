import { basename, resolve } from "node:path";
import { type ArgumentPlace, LoredexError, type SourceInfo } from "@loredex/core";
import { isGone, isJsonLines, type Target } from "./target.ts";

/** To which source an argument of an import belongs, and which of its arguments it is. */
export interface PlannedTarget {
  readonly target: Target;
  readonly source: string;
  readonly place: ArgumentPlace;
  /** Whether the bot knows the source's argument as it is now. */
  readonly isKnown: boolean;
  /** Several arguments of the source could be this one: what it brings belongs to none of them. */
  readonly isAmbiguous: boolean;
  /** Where the folder lay that this one is taken for, although it had another name. */
  readonly guessedFrom?: string;
  /** A source without arguments, written before they were kept, whose documents go over to this one. */
  readonly takesOver?: string;
}

/**
 * Plans an import. `name` is that of `--source`; without it each argument is a source of its own, named by its real path. `guesses`:
 * whether a folder of another name than the only one of its source may be taken for that.
 */
export function planned(
  targets: readonly Target[],
  sources: readonly SourceInfo[],
  name: string | undefined,
  { guesses = true } = {},
): PlannedTarget[] {
  const places =
    name === undefined
      ? targets.map((target) => ofPath(target, sources))
      : ofName(targets, sources.find((source) => source.name === name)?.arguments ?? [], { name, guesses });
  return places.map((plan) => {
    const takesOver = formerSource(plan, sources);
    return takesOver === undefined ? plan : { ...plan, takesOver };
  });
}

/** A source that is named by where it lies. */
export function isOfPath(source: SourceInfo): boolean {
  return source.arguments.some(({ path }) => path === source.name);
}

function ofPath(target: Target, sources: readonly SourceInfo[]): PlannedTarget {
  const { real, kind, base } = target;
  const known = sources.find(({ name }) => name === real)?.arguments.find(({ path }) => path === real);
  const place = known ?? { name: base, kind, path: real, ids: idsOf(kind, base) };
  return { target, source: real, place: bare({ ...place, kind }), isKnown: known?.kind === kind, isAmbiguous: false };
}

/**
 * With a name the path may differ from run to run: an argument is the one at the same path, else the only one with the same
 * last name, else, a folder, the only folder.
 */
function ofName(
  targets: readonly Target[],
  known: readonly ArgumentPlace[],
  { name, guesses }: { readonly name: string; readonly guesses: boolean },
): PlannedTarget[] {
  const same = new Map(targets.map((target) => [target, known.find(({ path }) => path === target.real)]));
  const taken = new Set([...same.values()].map((argument) => argument?.name));
  const folders = targets.filter(({ kind }) => kind === "folder");
  const plans: PlannedTarget[] = [];
  for (const target of targets) {
    const { real, kind, base } = target;
    const isFolder = kind === "folder";
    const ids = isFolder ? `file:${name}/` : `file:${name}/${base}`;
    const fresh = (): ArgumentPlace => {
      const used = new Set([...known, ...plans.map(({ place }) => place)].map((argument) => argument.name));
      return { name: unused(base, used), kind, path: real, ids };
    };
    const plan = (place: ArgumentPlace, isKnown: boolean, isAmbiguous: boolean, guessedFrom?: string): void => {
      const guess = guessedFrom === undefined ? {} : { guessedFrom };
      plans.push({ target, source: name, place: bare(place), isKnown, isAmbiguous, ...guess });
    };
    const exact = same.get(target);
    const free = known.filter((argument) => !taken.has(argument.name) && argument.kind === kind);
    const named = free.filter(({ path }) => basename(path) === base);
    const others = targets.filter(
      (other) => other.kind === kind && other.base === base && same.get(other) === undefined,
    );
    const [only] = named.length > 0 ? named : free;
    const isOnlyFolder =
      guesses && isFolder && folders.length === 1 && known.filter((one) => one.kind === "folder").length === 1;
    if (exact !== undefined) plan(exact, true, false);
    else if (named.length > 1 || (named.length === 1 && others.length > 1)) plan(fresh(), false, true);
    else if (only !== undefined && named.length === 1) plan({ ...only, path: real }, false, false);
    else if (only !== undefined && isOnlyFolder) plan({ ...only, path: real }, false, false, only.path);
    else plan(fresh(), false, false);
  }
  return plans;
}

/** The source as which a bot that was written before sources were kept has what this argument brings. */
function formerSource({ target, source, place }: PlannedTarget, sources: readonly SourceInfo[]): string | undefined {
  const free = sources.filter(
    ({ name, arguments: { length }, takenOverBy }) =>
      length === 0 && takenOverBy === undefined && name.startsWith("file:") && name !== source,
  );
  if (!isJsonLines(target.real)) return free.find(({ name }) => name === place.ids.replace(/\/$/, ""))?.name;
  const here = [`file:${resolve(target.given)}`, `file:${target.real}`];
  const same = free.filter(({ name }) => name.includes("/") && basename(name) === target.base);
  return (free.find(({ name }) => here.includes(name)) ?? (same.length === 1 ? same[0] : undefined))?.name;
}

/**
 * A folder that is not where it was may have moved, or be another one: what is right only a person knows.
 * @throws LoredexError before anything is changed
 */
export async function refuseIfMoved(plan: PlannedTarget, sources: readonly SourceInfo[], bot: string): Promise<void> {
  const { target, source, place, isKnown } = plan;
  if (isKnown || source !== target.real || isJsonLines(target.real)) return;
  for (const other of sources) {
    if (other.documents === 0 || !isOfPath(other) || other.name === source) continue;
    const same = other.arguments.find(({ ids, kind }) => ids === place.ids && kind === place.kind);
    if (same === undefined || !(await isGone(same.path))) continue;
    const message = `Nothing was imported: the source "${other.name}" brought a ${place.kind} of this name, and is not there any more. If "${target.given}" is the same one in another place, say so, and all documents keep their ids: loredex source move ${bot} "${other.name}" "${target.real}". If it is another one, or lies elsewhere each time, give it a name: --source NAME.`;
    throw new LoredexError("VALIDATION", message);
  }
}

function idsOf(kind: Target["kind"], base: string): string {
  return kind === "folder" ? `file:${base}/` : `file:${base}`;
}

function unused(base: string, used: ReadonlySet<string>): string {
  let name = base;
  for (let next = 2; used.has(name); next += 1) name = `${base} (${next})`;
  return name;
}

/** Without what only the engine says of it. */
function bare({ name, kind, path, ids }: ArgumentPlace): ArgumentPlace {
  return { name, kind, path, ids };
}
