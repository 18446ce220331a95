import { type DecodedText, NoTextError } from "../files/decoded-text.ts";
import { ConversionError } from "./conversion.ts";

/** Decodes a text; a refusal becomes a ConversionError. @throws ConversionError */
export function readableText(decode: () => DecodedText): DecodedText {
  try {
    return decode();
  } catch (error) {
    if (error instanceof NoTextError) throw new ConversionError(error.message, undefined, { cause: error });
    throw error;
  }
}

/** The note for a file's owner on a guessed encoding. */
export function guessedNote({ encoding, isGuessed }: DecodedText): string[] {
  return isGuessed
    ? [
        `it says nowhere how its letters are written; it was read as ${encoding}. If that is wrong, save it as UTF-8, or say what it is (--encoding)`,
      ]
    : [];
}

/** The note for the owner of an empty file. */
export const EMPTY_NOTE = "there is no text in it, so nothing was brought";
