import { dirname, isAbsolute, join } from "node:path";
import { type ArgumentPlace, LoredexError, type SourceInfo } from "@loredex/core";
import type { KnownFiles } from "./known-files.ts";
import { filesOf } from "./likeness.ts";
import { isOfPath, type PlannedTarget } from "./plan.ts";
import { isGlob, isGone } from "./target.ts";

/** True if the target of a source's argument does not exist any more. Addresses are not checked. */
export async function isLeft({ kind, path }: ArgumentPlace): Promise<boolean> {
  return kind !== "address" && isAbsolute(path) && (await isGone(path));
}

/**
 * Refuses a folder that may be a renamed one: it has at least half of the files of a folder that is missing. An import would duplicate all documents. Only a
 * person can decide.
 * @throws LoredexError before anything is changed
 */
export async function refuseIfRenamed(
  { target, source, isKnown }: PlannedTarget,
  sources: readonly SourceInfo[],
  { known, bot }: { readonly known: KnownFiles; readonly bot: string },
): Promise<void> {
  if (isKnown || target.kind !== "folder" || source !== target.real) return;
  for (const other of sources) {
    if (other.documents === 0 || !isOfPath(other) || other.name === source) continue;
    for (const argument of other.arguments) {
      if (argument.kind !== "folder" || isGlob(argument) || !(await isLeft(argument))) continue;
      const { looked, found } = await lookedFor(target.real, argument, { source: other.name, known });
      if (found === 0 || found * 2 < looked) continue;
      const message = `Nothing was imported: the source "${other.name}" is not there any more, and ${found} of the ${looked} files that it had are in "${target.given}". If that is the same folder under another name, say so, and all documents keep their ids: loredex source move ${bot} "${other.name}" "${target.real}". If it is another one, give it a name: --source NAME; or take the old one out first: loredex source remove ${bot} "${other.name}" --yes.`;
      throw new LoredexError("VALIDATION", message);
    }
  }
}

/** Counts an argument's files that are in this folder, and were not imported from there already. */
async function lookedFor(
  folder: string,
  argument: ArgumentPlace,
  { source, known }: { readonly source: string; readonly known: KnownFiles },
): Promise<{ readonly looked: number; readonly found: number }> {
  // A file that a program imported without a path is of no help.
  const sample = filesOf(argument, { source, files: known }).filter((path) => path !== "");
  let found = 0;
  for (const path of sample) {
    const here = join(folder, path);
    if (known.at(here).length === 0 && !(await isGone(here))) found += 1;
  }
  return { looked: sample.length, found };
}

/**
 * Returns a note on missing files that were imported alone. It is given if the import brings their folder or a new file beside them: one of them may only have
 * been renamed.
 */
export async function noteOfLeftFiles(
  plans: readonly PlannedTarget[],
  sources: readonly SourceInfo[],
  { known, bot }: { readonly known: KnownFiles; readonly bot: string },
): Promise<string | undefined> {
  const folders = new Set(
    plans.flatMap(({ target: { kind, real }, source, isKnown }) => {
      if (source !== real) return [];
      if (kind === "folder") return [real];
      return isKnown || known.at(real).length > 0 ? [] : [dirname(real)];
    }),
  );
  const left: string[] = [];
  for (const source of sources) {
    const [argument, ...others] = source.arguments;
    if (argument?.kind !== "file" || others.length > 0 || source.documents === 0 || !isOfPath(source)) continue;
    if (folders.has(dirname(argument.path)) && (await isLeft(argument))) left.push(source.name);
  }
  const [first, ...more] = left;
  if (first === undefined) return undefined;
  const alike = more.length === 0 ? "" : `; "loredex source list" marks ${more.length} more such files`;
  return `the file of the source "${first}" is not there any more, and what it brought stays. If it has another name now, take the old one out: loredex source remove ${bot} "${first}" --yes${alike}`;
}
