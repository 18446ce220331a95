/**
 * Why a page that no one named was not imported:
 * - `kind`: this kind is not imported
 * - `robots`: the site's robots.txt asks programs not to fetch it
 * - `noindex`: the page asks programs not to keep it
 * - `gone`: a link or a sitemap leads to it, and there is no such page
 * - `refused`: the server denies it to us, or our own rules forbid it
 * - `same`: it says the same as another page
 * - `elsewhere`: it is on another site, or outside the folder
 * - `empty`: it has no text
 */
export type PassedOverReason = "kind" | "robots" | "noindex" | "gone" | "refused" | "same" | "elsewhere" | "empty";

/** Counts passed-over pages of a site by reason: one line for each reason. */
export class PassedOver {
  readonly #byReason = new Map<string, { count: number; readonly first: string }>();

  add(address: string, reason: string): void {
    const known = this.#byReason.get(reason);
    if (known === undefined) this.#byReason.set(reason, { count: 1, first: address });
    else known.count += 1;
  }

  notes(): readonly string[] {
    return [...this.#byReason].map(([reason, { count, first }]) => {
      const others = count === 1 ? "" : `, and ${count - 1} more`;
      return `passed over ${first}${others}: ${reason}`;
    });
  }
}
