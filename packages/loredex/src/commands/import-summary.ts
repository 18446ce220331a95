import type { ImportReport } from "@loredex/import";
import { counted, grouped } from "../terminal/terminal.ts";

/** The texts for files that were passed over, by reason, in this order. */
const REASONS: readonly (readonly [keyof ImportReport["passedOverFor"], (count: string, isOne: boolean) => string])[] =
  [
    ["kind", (count) => `${count} of other kinds passed over`],
    ["robots", (count) => `${count} left alone as robots.txt asks`],
    ["noindex", (count, isOne) => `${count} left alone as ${isOne ? "it asks" : "they ask"} (noindex)`],
    ["gone", (count, isOne) => `${count} not there (${isOne ? "a link leads" : "links lead"} nowhere)`],
    ["refused", (count) => `${count} not given to programs`],
    ["same", (count) => `${count} the same as another page`],
    ["elsewhere", (count) => `${count} elsewhere (on another site, or out of the folder)`],
    ["empty", (count) => `${count} without text`],
  ];

/** The outcome of an import, in a line. */
export function summary(
  { added, changed, unchanged, removed, passedOverFor, passedOverKinds, drafts, failed }: ImportReport,
  isSync: boolean,
): string {
  const parts = [
    `${grouped(added)} added`,
    `${grouped(changed)} changed`,
    `${grouped(unchanged)} unchanged`,
    ...(isSync ? [`${grouped(removed)} removed`] : []),
    ...REASONS.flatMap(([reason, words]) => {
      const count = passedOverFor[reason] ?? 0;
      const kinds = reason === "kind" ? named(passedOverKinds) : "";
      return count === 0 ? [] : [`${words(grouped(count), count === 1)}${kinds}`];
    }),
    ...(drafts > 0 ? [`${counted(drafts, "draft", "drafts")} left out (--drafts)`] : []),
    ...(failed > 0 ? [`${grouped(failed)} failed`] : []),
  ];
  return parts.join(", ");
}

const KINDS_TOLD_MAX = 5;

/** The most frequent kinds: ` (.ods 2, .rtf 1)`. */
function named(kinds: ImportReport["passedOverKinds"]): string {
  const all = Object.entries(kinds);
  const told = all.slice(0, KINDS_TOLD_MAX).map(([kind, count]) => `${kind} ${grouped(count)}`);
  const more = all.length > told.length ? [`and ${counted(all.length - told.length, "other", "others")}`] : [];
  return told.length === 0 ? "" : ` (${[...told, ...more].join(", ")})`;
}

/** Whether the import has added or changed a document. */
export function hasBrought({ added, changed }: ImportReport): boolean {
  return added + changed > 0;
}

/** The state of the imported documents, if the command is stopped after the import. Failed documents are counted apart. */
export function inAndOut({ added, changed, unchanged, failed }: ImportReport): string {
  const there = added + changed + unchanged;
  const isIn = counted(there, "document is in and stays", "documents are in and stay");
  return failed === 0 ? isIn : `${isIn}, ${grouped(failed)} failed`;
}

const QUOTED = /"[^"]*"/g;
const END_OF_REASON = /[.;] /;

/** A problem, without its advice if the same advice was given before: many files may have the same problem. */
export function toldOnce(message: string, said: Set<string>): string {
  // Names in quotation marks may contain these characters.
  const end = message.replace(QUOTED, (quoted) => "_".repeat(quoted.length)).search(END_OF_REASON);
  const [reason, advice] = end < 0 ? [message, ""] : [message.slice(0, end), message.slice(end + 1)];
  if (advice === "" || !said.has(advice)) {
    said.add(advice);
    return message;
  }
  return reason;
}
