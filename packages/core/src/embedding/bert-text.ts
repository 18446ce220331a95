import { unicodeForm } from "../platform/unicode-form.ts";

/**
 * The text as the teacher's tokenizer sees it. Both sides were taught on the same pieces, so these rules are not ours to improve:
 * they are those of BERT's uncased models, as the tokenizer of `@loredex/minilm` carries them out, quirks included.
 */

/** What disappears, joining what stands around it: controls, format and private characters, lone surrogates. Tab and line ends stay. */
const REMOVED = /(?![\t\n\r])[\ufffd\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu;
/** Each ideograph of the basic plane is a word of its own; the rules look at UTF-16 units, so those of other planes are not. */
const IDEOGRAPH = /[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]/g;
const MARK = /\p{Mn}/gu;
const WORD_OR_SIGN = /[^\s\p{P}!-/:-@[-`{-~]+|[\p{P}!-/:-@[-`{-~]/gu;

/** The words and token codes of a text in lower case and without accents, in order. */
export function bertWords(text: string): readonly string[] {
  const spaced = text.replace(REMOVED, "").replace(IDEOGRAPH, " $& ");
  return unicodeForm(spaced.toLowerCase(), "NFD").replace(MARK, "").match(WORD_OR_SIGN) ?? [];
}
