import type { Conversion, RawFile } from "../convert/conversion.ts";
import { CONVERTERS } from "../convert/converters.ts";
import { IsolatedConverter } from "../isolated/convert-isolated.ts";

/** What costs no more than the text is long, and cannot be made to do anything else. */
const OWN_KINDS = new Set<RawFile["kind"]>(["markdown", "text"]);

/** Converts what one import comes upon: our own kinds here, all others in processes of their own. */
export class Conversions {
  readonly #isolated = new IsolatedConverter();

  /** @throws ConversionError */
  async convert(file: RawFile): Promise<Conversion> {
    const converter = OWN_KINDS.has(file.kind) ? await CONVERTERS[file.kind]?.() : undefined;
    return converter === undefined ? await this.#isolated.convert(file) : await converter(file);
  }

  /** Ends its processes. */
  close(): Promise<void> {
    return this.#isolated.close();
  }
}
