import type { PassedOverReason } from "../reading/read-file.ts";
import type { ImportReport } from "./import-options.ts";

/** Further kinds are counted, but not named: a folder may hold files of any extension. */
const KINDS_MAX = 100;

/** Counts items that an import found and does not read. */
export class PassedOver {
  #count = 0;
  readonly #reasons = new Map<PassedOverReason, number>();
  readonly #kinds = new Map<string, number>();

  /** @param extension of a file, as `.ods` in any case; empty if it has none, undefined if it is no file */
  add({ why, extension }: { readonly why: PassedOverReason; readonly extension?: string }): void {
    this.#count += 1;
    this.#reasons.set(why, (this.#reasons.get(why) ?? 0) + 1);
    if (extension === undefined || extension === "") return;
    const kind = extension.toLowerCase();
    const before = this.#kinds.get(kind);
    if (before !== undefined || this.#kinds.size < KINDS_MAX) this.#kinds.set(kind, (before ?? 0) + 1);
  }

  report(): Pick<ImportReport, "passedOver" | "passedOverFor" | "passedOverKinds"> {
    const mostFirst = [...this.#kinds].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
    const passedOverFor = Object.fromEntries(this.#reasons);
    return { passedOver: this.#count, passedOverFor, passedOverKinds: Object.fromEntries(mostFirst) };
  }
}
