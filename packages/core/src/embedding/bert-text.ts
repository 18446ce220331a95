import { unicodeForm } from "../platform/unicode-form.ts";

/**
 * Normalization of text as by the sentence encoder's tokenizer. The static embedder was trained on the word pieces of that tokenizer, so these
 * rules must not be improved. They are those of BERT's uncased models, as the tokenizer of `@loredex/minilm` applies them, quirks included.
 */

/** Characters that are removed, joining their neighbours: control, format and private use characters, lone surrogates. Tab and line ends stay. */
const REMOVED = /(?![\t\n\r])[\ufffd\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu;
/** Each ideograph of the basic plane is a word of its own. The rules work on UTF-16 units, so ideographs of other planes are not. */
const IDEOGRAPH = /[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]/g;
const MARK = /\p{Mn}/gu;
const WORD_OR_SIGN = /[^\s\p{P}!-/:-@[-`{-~]+|[\p{P}!-/:-@[-`{-~]/gu;

/** The words and punctuation characters of a text, in lower case and without accents, in order. */
export function bertWords(text: string): readonly string[] {
  const spaced = text.replace(REMOVED, "").replace(IDEOGRAPH, " $& ");
  return unicodeForm(spaced.toLowerCase(), "NFD").replace(MARK, "").match(WORD_OR_SIGN) ?? [];
}
