import { readFile } from "node:fs/promises";
import { DOCUMENT_BYTES_MAX } from "@loredex/core";
import { type Conversion, ConversionError } from "../../convert/conversion.ts";
import { CONVERTERS, isOwnKind } from "../../convert/converters.ts";
import type { FileKind } from "../../convert/kinds.ts";
import { IsolatedConverter, type IsolationOptions } from "../../isolated/convert-isolated.ts";
import type { FileToConvert } from "../../isolated/messages.ts";
import { FILE_BYTES_MAX } from "../../limits.ts";

/**
 * Checks a file's size. A text may have the size of a document, from any origin; a converted file may be larger.
 * @throws ConversionError
 */
export function requireSize(bytes: number, kind: FileKind): void {
  const bytesMax = isOwnKind(kind) ? DOCUMENT_BYTES_MAX : FILE_BYTES_MAX;
  if (bytes <= bytesMax) return;
  throw new ConversionError(`it has more than ${bytesMax / 1_048_576} MiB; divide it into several`);
}

/** Converts the files of one import: our own kinds in this process, all others in separate processes. */
export class Conversions {
  readonly #isolated: IsolatedConverter;

  constructor(options: IsolationOptions = {}) {
    this.#isolated = new IsolatedConverter(options);
  }

  /** Number of files that are converted at the same time. */
  get parallel(): number {
    return this.#isolated.parallel;
  }

  /** @throws ConversionError */
  async convert(file: FileToConvert): Promise<Conversion> {
    if (!isOwnKind(file.kind)) return this.#isolated.convert(file);
    const converter = await CONVERTERS[file.kind]();
    const bytes = "bytes" in file ? file.bytes : await readFile(file.path);
    return converter({ ...file, bytes });
  }

  /** Ends the processes. */
  close(): Promise<void> {
    return this.#isolated.close();
  }
}

/** Conversions for arguments with different limits. At any time only one of them has processes. */
export class ConversionsWithin {
  #now: { readonly limits: string; readonly conversions: Conversions } | undefined;

  /** Returns conversions with these limits. If the limits change, the earlier processes end. */
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
