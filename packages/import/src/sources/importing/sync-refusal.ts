import type { PlannedTarget } from "../belonging/plan.ts";

/** The documents of an argument, and how many are gone. */
export interface SyncState {
  /** It was fully read, and no part of it failed. */
  readonly isWhole: boolean;
  /** So was every other argument of its source. */
  readonly isSourceWhole: boolean;
  /** Documents that it holds, and drafts left out: its place still exists. */
  readonly there: number;
  /** Documents that it had brought and no longer holds. */
  readonly gone: number;
  /** No person sees what is removed. */
  readonly isUnattended: boolean;
}

/** This number may always go at once, whatever share it is. */
const GONE_UNSEEN_MAX = 10;

/** Returns why nothing may be removed of an argument's documents; undefined if all that are gone may be removed. */
export function syncRefusal(
  { target, source, isAmbiguous, takesOver, unlike }: PlannedTarget,
  { isWhole, isSourceWhole, there, gone, isUnattended }: SyncState,
): string | undefined {
  if (!isWhole) return NOT_WHOLE;
  if (!isSourceWhole) return `another path of the source "${source}" was not read whole`;
  if (isAmbiguous) return `the source "${source}" has several arguments of this name; give each a source of its own`;
  if (takesOver !== undefined) return "it has just taken over what was imported before sources were kept";
  if (unlike !== undefined) return `it looks like another ${target.kind} than ${unlike}, and what that brought stays`;
  if (gone === 0) return undefined;
  // Likely a missing disk: an empty folder stands in its place.
  if (there === 0 && (isUnattended || gone > GONE_UNSEEN_MAX)) {
    return 'nothing is there any more; if that is meant, "loredex source remove" takes out what it had brought';
  }
  // Likely a disk with only a part of its files, or a site that answers with one page for all.
  if (!isUnattended || gone <= GONE_UNSEEN_MAX || gone <= there) return undefined;
  return `${gone} of the ${gone + there} documents that it had are gone at once; if that is meant, "loredex import" with --sync removes them`;
}

/** An argument that was read in part does not show which documents are gone. */
export const NOT_WHOLE = "it was not read whole";
