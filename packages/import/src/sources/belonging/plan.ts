import { basename, resolve } from "node:path";
import { type ArgumentPlace, LoredexError, type SourceInfo } from "@loredex/core";
import { GLOB, isGlob, isGone, isJsonLines, keyOfArgument, keyOfTarget, STDIN, type Target } from "./target.ts";

/** The source and argument of an import's target. */
export interface PlannedTarget {
  readonly target: Target;
  readonly source: string;
  readonly place: ArgumentPlace;
  /** True if the bot knows the source's argument as it is now. */
  readonly isKnown: boolean;
  /** True if several arguments of the source could be this one: then its documents belong to none of them. */
  readonly isAmbiguous: boolean;
  /** The place of an argument of the source with the same last name that does not resemble this one. */
  readonly unlike?: string;
  /** A source without arguments, from before arguments were kept, whose documents move to this one. */
  readonly takesOver?: string;
}

/** The data for planning an import. */
export interface PlanDeps {
  readonly sources: readonly SourceInfo[];
  /** The name of `--source`. Without it, each argument is its own source, named by its real path. */
  readonly name: string | undefined;
  /** True if the target resembles an argument of the named source at another place. */
  readonly isAlike: (target: Target, known: ArgumentPlace) => Promise<boolean>;
}

/** Finds the source and argument of each target of an import. */
export async function planned(targets: readonly Target[], deps: PlanDeps): Promise<PlannedTarget[]> {
  const { sources, name } = deps;
  const places =
    name === undefined
      ? targets.map((target) => ofPath(target, sources))
      : await ofName(targets, sources.find((source) => source.name === name)?.arguments ?? [], { ...deps, name });
  return places.map((plan) => {
    const takesOver = formerSource(plan, sources);
    return takesOver === undefined ? plan : { ...plan, takesOver };
  });
}

/** True for a source that is named by its place. */
export function isOfPath(source: SourceInfo): boolean {
  // A source with a standard input may have any name, because that is no place.
  return source.arguments.some((argument) => argument.path !== STDIN && keyOfArgument(argument) === source.name);
}

function ofPath(target: Target, sources: readonly SourceInfo[]): PlannedTarget {
  const { real, kind, base } = target;
  const key = keyOfTarget(target);
  const all = sources.find(({ name }) => name === key)?.arguments;
  const known = all?.find((argument) => keyOfArgument(argument) === key);
  const fresh = { name: nameOf(target), kind, path: real, ids: idsOf(kind, base) };
  const place = known === undefined ? fresh : asKind(known, fresh);
  return { target, source: key, place: bare(place), isKnown: known?.kind === kind, isAmbiguous: false };
}

/**
 * Finds the argument of a named source, whose path may differ from run to run. It is the one at the same path, else the only one with the same last name, else,
 * for a folder, the only folder. The last two must resemble the target. So another folder that happens to have the same name neither replaces nor removes
 * anything.
 */
async function ofName(
  targets: readonly Target[],
  known: readonly ArgumentPlace[],
  { name, isAlike }: PlanDeps & { readonly name: string },
): Promise<PlannedTarget[]> {
  const same = new Map(
    targets.map((target) => [target, known.find((argument) => keyOfArgument(argument) === keyOfTarget(target))]),
  );
  const taken = new Set([...same.values()].map((argument) => argument?.name));
  const folders = targets.filter(({ kind, glob }) => kind === "folder" && glob === undefined);
  const isOnly = folders.length === 1 && known.filter(isPlainFolder).length === 1;
  const free = known.filter((argument) => !taken.has(argument.name));
  /** The arguments of the same last name that resemble the target. */
  const likes = new Map<Target, readonly ArgumentPlace[]>();
  for (const target of targets) likes.set(target, await alike(target, namesakes(target, free), isAlike));
  const plans: PlannedTarget[] = [];
  for (const target of targets) {
    const { real, kind, base } = target;
    const ids = kind === "address" ? real : kind === "folder" ? `file:${name}/` : `file:${name}/${base}`;
    const fresh = (): ArgumentPlace => {
      const used = new Set([...known, ...plans.map(({ place }) => place)].map((argument) => argument.name));
      return { name: unused(nameOf(target), used), kind, path: real, ids };
    };
    const plan = (place: ArgumentPlace, isKnown: boolean, isAmbiguous: boolean, unlike?: ArgumentPlace): void => {
      const isUnlike = unlike === undefined ? {} : { unlike: unlike.path };
      plans.push({ target, source: name, place: bare(place), isKnown, isAmbiguous, ...isUnlike });
    };
    const exact = same.get(target);
    const named = namesakes(target, free);
    const [like] = likes.get(target) ?? [];
    const rivals = targets.filter((other) => same.get(other) === undefined && likes.get(other)?.[0] === like);
    if (exact !== undefined) plan(asKind(exact, { kind, ids }), exact.kind === kind, false);
    else if (like !== undefined && (named.length > 1 || rivals.length > 1)) plan(fresh(), false, true);
    else if (like !== undefined) plan({ ...like, path: real }, false, false);
    else if (named.length > 0) plan(fresh(), false, false, named[0]);
    else {
      const others = isOnly ? free.filter((argument) => isPlainFolder(argument) && kind === "folder") : [];
      const [only] = await alike(target, others, isAlike);
      if (only === undefined) plan(fresh(), false, false);
      else plan({ ...only, path: real }, false, false);
    }
  }
  return plans;
}

function namesakes({ kind, base, glob }: Target, known: readonly ArgumentPlace[]): readonly ArgumentPlace[] {
  return known.filter(
    (argument) =>
      argument.kind === kind && basename(argument.path) === base && argument.settings?.[GLOB] === glob?.pattern,
  );
}

function nameOf({ base, glob }: Target): string {
  return glob === undefined ? base : `${base}/${glob.pattern}`;
}

async function alike(
  target: Target,
  known: readonly ArgumentPlace[],
  isAlike: PlanDeps["isAlike"],
): Promise<readonly ArgumentPlace[]> {
  const found: ArgumentPlace[] = [];
  for (const argument of known) if (await isAlike(target, argument)) found.push(argument);
  return found;
}

/** Finds the source under which a bot from before sources were kept has the argument's documents. */
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
 * Refuses a target that may be the moved file or folder of a source whose place is gone, or another one: only a person can decide.
 * @throws LoredexError before anything is changed
 */
export async function refuseIfMoved(plan: PlannedTarget, sources: readonly SourceInfo[], bot: string): Promise<void> {
  const { target, source, place, isKnown } = plan;
  if (isKnown || source !== target.real) return;
  for (const other of sources) {
    if (other.documents === 0 || !isOfPath(other) || other.name === source) continue;
    const same = other.arguments.find(
      (argument) => argument.ids === place.ids && argument.kind === place.kind && !isGlob(argument),
    );
    if (same === undefined || !(await isGone(same.path))) continue;
    const message = `Nothing was imported: the source "${other.name}" brought a ${place.kind} of this name, and is not there any more. If "${target.given}" is the same one in another place, say so, and all documents keep their ids: loredex source move ${bot} "${other.name}" "${target.real}". If it is another one, or lies elsewhere each time, give it a name: --source NAME.`;
    throw new LoredexError("VALIDATION", message);
  }
}

/** A file may have become a folder, or the reverse. The argument stays the same, with the ids of its new kind. */
function asKind(known: ArgumentPlace, { kind, ids }: Pick<ArgumentPlace, "kind" | "ids">): ArgumentPlace {
  return known.kind === kind ? known : { ...known, kind, ids };
}

function isPlainFolder(argument: ArgumentPlace): boolean {
  return argument.kind === "folder" && !isGlob(argument);
}

function idsOf(kind: Target["kind"], base: string): string {
  if (kind === "address") return base;
  return kind === "folder" ? `file:${base}/` : `file:${base}`;
}

function unused(base: string, used: ReadonlySet<string>): string {
  let name = base;
  for (let next = 2; used.has(name); next += 1) name = `${base} (${next})`;
  return name;
}

/** Drops the fields that only the engine sets. */
function bare({ name, kind, path, ids }: ArgumentPlace): ArgumentPlace {
  return { name, kind, path, ids };
}
