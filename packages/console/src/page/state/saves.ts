import { signal } from "@preact/signals";

/** The last saved article, until the next visit of an editor. */
export const lastSave = signal<{ readonly id: string; readonly question?: string } | undefined>(undefined);

/** The gap that the next new article closes. */
export const gapToClose = signal<
  { readonly question: string; readonly count: number; readonly examples: readonly string[] } | undefined
>(undefined);
