/** What one file may cost to convert. Maxima of what becomes of it are core's. */

import { DOCUMENT_BYTES_MAX } from "@loredex/core";

/** A file that is converted: a manual of some thousand pages with pictures has less. Checked before it is read. */
export const FILE_BYTES_MAX = 256 * 1_048_576;

/** A line of .jsonl. JSON takes some bytes more than the text that it holds. */
export const LINE_BYTES_MAX = DOCUMENT_BYTES_MAX * 2;

/**
 * Memory of the process that converts a file, all in all. It takes about 70 MiB by itself, and with a manual of two thousand
 * pages 500 MiB; on a machine with 2 GiB a file that goes up to this does not end the server beside it.
 */
export const CONVERSION_MEMORY_BYTES_DEFAULT = 1_024 * 1_048_576;
export const CONVERSION_MEMORY_BYTES_MIN = 256 * 1_048_576;
export const CONVERSION_MEMORY_BYTES_MAX = 64 * 1_024 * 1_048_576;

/** Time for one file, in which its process computes; by the clock it may take ten times as long. */
export const CONVERSION_SECONDS_DEFAULT = 60;
export const CONVERSION_SECONDS_MAX = 86_400;

/** Questions with answers of one file. */
export const FAQS_MAX = 100_000;

/** Notes on one file that are told; more are counted. */
export const NOTES_MAX = 20;
