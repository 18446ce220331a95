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
