import { LoredexError, type SourceArgument, type SourceInfo } from "@loredex/core";
import { sourceNamed } from "../belonging/moved-place.ts";
import { isOfPath } from "../belonging/plan.ts";
import { givenOf, STDIN } from "../belonging/target.ts";
import { type ImportReport, type ImportSourcesOptions, importSources } from "../importing/import-sources.ts";
import type { ImportTarget } from "../importing/import-target.ts";
import { optionsOf } from "../reading/settings.ts";

export interface SyncSourcesOptions
  extends Pick<ImportSourcesOptions, "onProgress" | "onProblem" | "botName" | "machine" | "unattended"> {
  /** Name of the only source to bring up to date; default: all. */
  readonly source?: string;
  /** Told before each source. */
  readonly onSource?: (source: string) => void;
}

/** What came of one source. */
export interface SyncedSource {
  readonly source: string;
  /** Absent where it could not be brought up to date at all. */
  readonly report?: ImportReport;
  /** Why it could not; nothing of it was changed. */
  readonly why?: string;
}

/**
 * Brings the sources of a bot up to date from where they lie, each as it was imported last: what is new or changed comes in, what
 * has gone goes out. A source that a program named, which lies nowhere, is passed over. Where something cannot be read, nothing
 * is removed of that source, and the others go on.
 * @throws LoredexError `SOURCE_NOT_FOUND`, and what keeps any document from going in, for example `DISK_FULL`
 */
export async function syncSources(bot: ImportTarget, options: SyncSourcesOptions = {}): Promise<SyncedSource[]> {
  const { source: only, onSource } = options;
  const all = await bot.listSources();
  const wanted = only === undefined ? all.filter(({ arguments: { length } }) => length > 0) : [sourceNamed(all, only)];
  const synced: SyncedSource[] = [];
  for (const source of wanted) {
    onSource?.(source.name);
    synced.push(await syncSource(bot, source, options));
  }
  return synced;
}

async function syncSource(
  bot: ImportTarget,
  source: SourceInfo,
  { source: _, onSource: __, ...telling }: SyncSourcesOptions,
): Promise<SyncedSource> {
  const { name } = source;
  if (source.arguments.length === 0)
    return { source: name, why: "it was brought by a program, and lies nowhere that is known" };
  const there = source.arguments.filter(({ path }) => path !== STDIN);
  if (there.length === 0) return { source: name, why: "it came by the standard input, which nobody can read again" };
  const named = isOfPath(source) ? {} : { source: name };
  const reports: ImportReport[] = [];
  try {
    for (const group of alike(there)) {
      const paths = group.map(givenOf);
      reports.push(
        await importSources(bot, paths, {
          unattended: true,
          ...telling,
          ...optionsOf(group[0]?.settings),
          ...named,
          sync: true,
        }),
      );
    }
  } catch (error) {
    // What is wrong with this source alone.
    if (!(error instanceof LoredexError && error.code === "VALIDATION")) throw error;
    return { source: name, why: error.message };
  }
  return { source: name, report: sumOf(reports) };
}

/** Arguments that are imported alike go in one import: what has gone from one of them may have come with another. */
function alike(all: readonly SourceArgument[]): SourceArgument[][] {
  const groups = new Map<string, SourceArgument[]>();
  for (const argument of all) {
    const key = JSON.stringify(Object.entries(optionsOf(argument.settings)));
    groups.set(key, [...(groups.get(key) ?? []), argument]);
  }
  return [...groups.values()];
}

function sumOf(reports: readonly ImportReport[]): ImportReport {
  const sum = (count: (report: ImportReport) => number): number => reports.reduce((all, one) => all + count(one), 0);
  return {
    sources: [...new Set(reports.flatMap(({ sources }) => sources))],
    added: sum(({ added }) => added),
    changed: sum(({ changed }) => changed),
    unchanged: sum(({ unchanged }) => unchanged),
    removed: sum(({ removed }) => removed),
    failed: sum(({ failed }) => failed),
    passedOver: sum(({ passedOver }) => passedOver),
    drafts: sum(({ drafts }) => drafts),
    problems: reports.flatMap(({ problems }) => problems),
    notSynced: reports.flatMap(({ notSynced }) => notSynced),
    notes: reports.flatMap(({ notes }) => notes),
  };
}
