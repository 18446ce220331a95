/**
 * The tags of known languages: the 93 of multilingual encoders of the XLM-R family, "multi" and "auto".
 * Source of the 93: Conneau et al. 2020, "Unsupervised Cross-lingual Representation Learning at Scale", table 6, which counts some again in other letters.
 * "multi" is a mixture of languages, whose words are not stemmed. "auto" detects the language of each document.
 */
export const LANGUAGES: readonly string[] = (
  "en multi auto af am ar as az be bg bn br bs ca cs cy da de el eo es et eu fa fi fr fy ga gd gl gu ha he hi hr hu hy " +
  "id is it ja jv ka kk km kn ko ku ky la lo lt lv mg mk ml mn mr ms my ne nl no om or pa pl ps pt ro ru sa sd si sk sl so sq sr " +
  "su sv sw ta te th tl tr ug uk ur uz vi xh yi zh"
).split(" ");

/** Other tags of these languages, beside the aliases that Unicode resolves. */
const SAME: Readonly<Record<string, string>> = { fil: "tl", nb: "no", nn: "no", yue: "zh", ckb: "ku", kmr: "ku" };

const KNOWN = new Set(LANGUAGES);

/** The language of {@link LANGUAGES} that a BCP 47 tag names, as `de` for `de-CH`. Undefined for an invalid tag or an unknown language. */
export function languageOf(tag: string): string | undefined {
  const small = tag.toLowerCase();
  if (KNOWN.has(small)) return small;
  try {
    const { language } = new Intl.Locale(tag);
    const found = SAME[language] ?? language;
    return KNOWN.has(found) ? found : undefined;
  } catch {
    return undefined;
  }
}

/** The stored form of a tag: a tag of {@link LANGUAGES}, or Unicode's canonical form. */
export function tagOf(tag: string): string {
  const small = tag.toLowerCase();
  return KNOWN.has(small) ? small : (Intl.getCanonicalLocales(tag)[0] ?? tag);
}
