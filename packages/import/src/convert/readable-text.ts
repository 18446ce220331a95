import { type DecodedText, NoTextError } from "../files/decoded-text.ts";
import { ConversionError } from "./conversion.ts";

/** What a decoding gives, with its refusal as that of a converter. @throws ConversionError */
export function readableText(decode: () => DecodedText): DecodedText {
  try {
    return decode();
  } catch (error) {
    if (error instanceof NoTextError) throw new ConversionError(error.message, undefined, { cause: error });
    throw error;
  }
}

/** What a file's owner is told of an encoding that was guessed. */
export function guessedNote({ encoding, isGuessed }: DecodedText): string[] {
  return isGuessed
    ? [
        `it says nowhere how its letters are written; it was read as ${encoding}. If that is wrong, save it as UTF-8, or say what it is (--encoding)`,
      ]
    : [];
}

/** What a file's owner is told where nothing is in it. */
export const EMPTY_NOTE = "there is no text in it, so nothing was brought";
