import type { SearchIndex } from "../query/search-index.ts";

/** What a bot without a document takes beside its index: its log and all that looks after it. Measured. */
const EMPTY_BOT_BYTES = 32_768;

/** The state holds the texts and their fields once more, and what is on the heap takes more than its contents. Measured. */
const HEAP_FACTOR = 2;

/**
 * About how much memory an open bot takes, in bytes, with what its words take that are being read in another language, and what tells where the signs of tokens
 * are: those that are held are of all bots. At hand after every call: it is
 * asked for as often.
 */
export function estimatedBytes(
  { bytes, vectorBytes }: Pick<SearchIndex, "bytes" | "vectorBytes">,
  languageChangeBytes: number,
  signsBytes: number,
): number {
  return EMPTY_BOT_BYTES + (bytes + languageChangeBytes) * HEAP_FACTOR + vectorBytes + signsBytes;
}
