import type { PlannedTarget } from "../belonging/plan.ts";

/** What an argument has brought, and what of it is gone. */
export interface SyncState {
  /** It was read to its end, and nothing of it failed. */
  readonly isWhole: boolean;
  /** So was every other argument of its source. */
  readonly isSourceWhole: boolean;
  /** Documents that it holds, and drafts that stay out: it is still where it was. */
  readonly there: number;
  /** Documents that it had brought and no longer holds. */
  readonly gone: number;
  /** Nobody is there to see what is removed. */
  readonly isUnattended: boolean;
}

/** Fewer may go at once, whatever share they are. */
const GONE_UNSEEN_MAX = 10;

/** Why nothing may be removed of what an argument brought; undefined where all that has gone from it may go. */
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
  // As of a disk that is not there: an empty folder is where it would be.
  if (there === 0 && (isUnattended || gone > GONE_UNSEEN_MAX)) {
    return 'nothing is there any more; if that is meant, "loredex source remove" takes out what it had brought';
  }
  // As of a disk that is there in part, or a site that answers with one page for all.
  if (!isUnattended || gone <= GONE_UNSEEN_MAX || gone <= there) return undefined;
  return `${gone} of the ${gone + there} documents that it had are gone at once; if that is meant, "loredex import" with --sync removes them`;
}

/** What was read in part does not say what has gone. */
export const NOT_WHOLE = "it was not read whole";
