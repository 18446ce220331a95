import type { ImportReport } from "@loredex/import";
import { counted, grouped } from "../terminal/terminal.ts";

/** What came of an import, in a line. */
export function summary(
  { added, changed, unchanged, removed, passedOver, drafts, failed }: ImportReport,
  isSync: boolean,
): string {
  const parts = [
    `${grouped(added)} added`,
    `${grouped(changed)} changed`,
    `${grouped(unchanged)} unchanged`,
    ...(isSync ? [`${grouped(removed)} removed`] : []),
    ...(passedOver > 0 ? [`${grouped(passedOver)} of other kinds passed over`] : []),
    ...(drafts > 0 ? [`${counted(drafts, "draft", "drafts")} left out (--drafts)`] : []),
    ...(failed > 0 ? [`${grouped(failed)} failed`] : []),
  ];
  return parts.join(", ");
}

/** What stays when it is stopped after all was brought; nothing that was refused is said to be in. */
export function inAndOut({ added, changed, unchanged, failed }: ImportReport): string {
  const there = added + changed + unchanged;
  const isIn = counted(there, "document is in and stays", "documents are in and stay");
  return failed === 0 ? isIn : `${isIn}, ${grouped(failed)} failed`;
}

const QUOTED = /"[^"]*"/g;
const END_OF_REASON = /[.;] /;

/** A problem, without what to do about it where that has been said: many files may have the same one. */
export function toldOnce(message: string, said: Set<string>): string {
  // Names in quotation marks may hold anything.
  const end = message.replace(QUOTED, (quoted) => "_".repeat(quoted.length)).search(END_OF_REASON);
  const [reason, advice] = end < 0 ? [message, ""] : [message.slice(0, end), message.slice(end + 1)];
  if (advice === "" || !said.has(advice)) {
    said.add(advice);
    return message;
  }
  return reason;
}
