import { DOCUMENT_BLOCKS_MAX, DOCUMENT_BYTES_MAX, JSON_DEPTH_MAX } from "@loredex/core";
import { FAQS_MAX, NOTES_MAX } from "../limits.ts";
import { type Conversion, ConversionError } from "./conversion.ts";

/**
 * Returns the conversion if a bot may take it. The check runs before the conversion goes to the program with the bot.
 * @throws ConversionError
 */
export function bounded(conversion: Conversion): Conversion {
  const { page, faqs, notes } = conversion;
  const texts = [
    ...(page?.content.map(({ md }) => md) ?? []),
    ...faqs.flatMap(({ question, answer, alternatives = [] }) => [question, answer, ...alternatives]),
  ];
  let bytes = 0;
  for (const text of texts) bytes += Buffer.byteLength(text);
  if (bytes > DOCUMENT_BYTES_MAX) {
    throw new ConversionError(`its text has more than ${DOCUMENT_BYTES_MAX / 1_048_576} MiB; divide it into several`);
  }
  if ((page?.content.length ?? 0) > DOCUMENT_BLOCKS_MAX) {
    throw new ConversionError(`it has more than ${DOCUMENT_BLOCKS_MAX} pages or sheets; divide it into several`);
  }
  if (faqs.length > FAQS_MAX) {
    throw new ConversionError(`it has more than ${FAQS_MAX} questions; divide it into several`);
  }
  // That program could not even read a deeper one.
  if (page !== undefined && isDeeper(page.metaData, JSON_DEPTH_MAX - 1)) {
    throw new ConversionError(`its metadata is more than ${JSON_DEPTH_MAX} levels deep`);
  }
  if (notes.length <= NOTES_MAX) return conversion;
  return { ...conversion, notes: [...notes.slice(0, NOTES_MAX), `and ${notes.length - NOTES_MAX} more of such notes`] };
}

/** True if a value has more than these levels. It goes no deeper to find out. */
function isDeeper(value: unknown, levels: number): boolean {
  if (levels < 0) return true;
  return typeof value === "object" && value !== null && Object.values(value).some((item) => isDeeper(item, levels - 1));
}
