/** Limits of converting one file. Limits of the documents that it becomes are core's. */

import { DOCUMENT_BYTES_MAX } from "@loredex/core";

/** Maximum size of a converted file: a manual of some thousand pages with pictures has less. Checked before it is read. */
export const FILE_BYTES_MAX = 256 * 1_048_576;

/** Maximum size of a .jsonl line. JSON takes a few more bytes than its text. */
export const LINE_BYTES_MAX = DOCUMENT_BYTES_MAX * 2;

/**
 * Maximum memory of the process that converts a file, in total. Alone it takes about 70 MiB, and with a manual of two thousand pages 500 MiB. On a machine with
 * 2 GiB, a file that reaches this maximum does not end the server beside it.
 */
export const CONVERSION_MEMORY_BYTES_DEFAULT = 1_024 * 1_048_576;
export const CONVERSION_MEMORY_BYTES_MIN = 256 * 1_048_576;
export const CONVERSION_MEMORY_BYTES_MAX = 64 * 1_024 * 1_048_576;

/** Computing time of the process for one file. The clock may show ten times as long. */
export const CONVERSION_SECONDS_DEFAULT = 60;
export const CONVERSION_SECONDS_MAX = 86_400;

/** Maximum questions with answers of one file. */
export const FAQS_MAX = 100_000;

/** Maximum notes shown on one file; more are only counted. */
export const NOTES_MAX = 20;
