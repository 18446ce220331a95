import type { SearchIndex } from "../query/search-index.ts";
import type { BotState } from "../state/state.ts";

/** What a bot without a document takes beside its index: its log and all that looks after it. Measured. */
const EMPTY_BOT_BYTES = 32_768;

/** What is on the heap takes more than its contents, and the state holds imported documents once more. Measured. */
const HEAP_FACTOR = 2;

/** A create that is known by its idempotency key: two digests, an id and an entry. */
const REMEMBERED_CREATE_BYTES = 400;

/** What the state holds beside imported documents: texts, metadata and activeOn of articles, and digests of creates. */
type HeldByState = Pick<BotState, "articles" | "creates">;

/**
 * About how much memory an open bot takes, in bytes, with what its state holds, what its words take that are being read in another language, and what tells where the signs of tokens
 * are: those that are held are of all bots. At hand after every call: it is
 * asked for as often.
 */
export function estimatedBytes(
  { bytes, vectorBytes }: Pick<SearchIndex, "bytes" | "vectorBytes">,
  languageChangeBytes: number,
  signsBytes: number,
  { articles, creates }: HeldByState,
): number {
  const stateBytes = articles.bytes + creates.size * REMEMBERED_CREATE_BYTES;
  return EMPTY_BOT_BYTES + stateBytes + (bytes + languageChangeBytes) * HEAP_FACTOR + vectorBytes + signsBytes;
}
