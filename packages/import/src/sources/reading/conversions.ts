import { readFile } from "node:fs/promises";
import { DOCUMENT_BYTES_MAX } from "@loredex/core";
import { type Conversion, ConversionError, type FileKind } from "../../convert/conversion.ts";
import { CONVERTERS } from "../../convert/converters.ts";
import { IsolatedConverter, type IsolationOptions } from "../../isolated/convert-isolated.ts";
import type { FileToConvert } from "../../isolated/messages.ts";
import { FILE_BYTES_MAX } from "../../limits.ts";

/** What costs no more than the text is long, and cannot be made to do anything else. */
const OWN_KINDS: ReadonlySet<FileKind> = new Set(["markdown", "text"]);

/** Whether files of this kind are converted in the program that imports. */
export function isOwnKind(kind: FileKind): boolean {
  return OWN_KINDS.has(kind);
}

/**
 * However it comes, a text is no larger than a document may be, and what is converted may have more.
 * @throws ConversionError
 */
export function requireSize(bytes: number, kind: FileKind): void {
  const bytesMax = isOwnKind(kind) ? DOCUMENT_BYTES_MAX : FILE_BYTES_MAX;
  if (bytes <= bytesMax) return;
  throw new ConversionError(`it has more than ${bytesMax / 1_048_576} MiB; divide it into several`);
}

/** Converts what one import comes upon: our own kinds here, all others in processes of their own. */
export class Conversions {
  readonly #isolated: IsolatedConverter;

  constructor(options: IsolationOptions = {}) {
    this.#isolated = new IsolatedConverter(options);
  }

  /** Files that are converted at the same time. */
  get parallel(): number {
    return this.#isolated.parallel;
  }

  /** @throws ConversionError */
  async convert(file: FileToConvert): Promise<Conversion> {
    const converter = isOwnKind(file.kind) ? await CONVERTERS[file.kind]?.() : undefined;
    if (converter === undefined) return this.#isolated.convert(file);
    const bytes = "bytes" in file ? file.bytes : await readFile(file.path);
    return converter({ ...file, bytes });
  }

  /** Ends its processes. */
  close(): Promise<void> {
    return this.#isolated.close();
  }
}

/** Conversions of arguments that may cost more or less: at any time there are processes for one of them. */
export class ConversionsWithin {
  #now: { readonly limits: string; readonly conversions: Conversions } | undefined;

  /** Ends those of before, where other limits hold now. */
  async within(options: IsolationOptions): Promise<Conversions> {
    const limits = JSON.stringify([options.memoryBytesMax, options.secondsMax]);
    if (this.#now?.limits === limits) return this.#now.conversions;
    await this.close();
    const conversions = new Conversions(options);
    this.#now = { limits, conversions };
    return conversions;
  }

  /** Ends all processes. */
  async close(): Promise<void> {
    await this.#now?.conversions.close();
    this.#now = undefined;
  }
}
