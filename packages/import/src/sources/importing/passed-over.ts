/** More kinds are counted, but not named: a folder may hold a file of every name. */
const KINDS_MAX = 100;

/** What an import came by and does not read. */
export class PassedOver {
  #count = 0;
  readonly #kinds = new Map<string, number>();

  /** @param extension of a file, as `.ods` in any case; empty where it has none, undefined for what is no file */
  add(extension: string | undefined): void {
    this.#count += 1;
    if (extension === undefined || extension === "") return;
    const kind = extension.toLowerCase();
    const before = this.#kinds.get(kind);
    if (before !== undefined || this.#kinds.size < KINDS_MAX) this.#kinds.set(kind, (before ?? 0) + 1);
  }

  report(): { readonly passedOver: number; readonly passedOverKinds: Readonly<Record<string, number>> } {
    const mostFirst = [...this.#kinds].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
    return { passedOver: this.#count, passedOverKinds: Object.fromEntries(mostFirst) };
  }
}
