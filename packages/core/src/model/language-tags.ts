/**
 * Languages by their tags. Those 93 that multilingual encoders of the XLM-R family know (Conneau et al. 2020, "Unsupervised Cross-lingual Representation
 * Learning at Scale", table 6, where some are counted again in other letters); "multi" for a mixture of any, by plain words; "auto" for any whose documents tell
 * by themselves.
 */
export const LANGUAGES: readonly string[] = (
  "en multi auto af am ar as az be bg bn br bs ca cs cy da de el eo es et eu fa fi fr fy ga gd gl gu ha he hi hr hu hy " +
  "id is it ja jv ka kk km kn ko ku ky la lo lt lv mg mk ml mn mr ms my ne nl no om or pa pl ps pt ro ru sa sd si sk sl so sq sr " +
  "su sv sw ta te th tl tr ug uk ur uz vi xh yi zh"
).split(" ");

/** Tags that name one of these in another way, once Unicode's own aliases are resolved. */
const SAME: Readonly<Record<string, string>> = { fil: "tl", nb: "no", nn: "no", yue: "zh", ckb: "ku", kmr: "ku" };

const KNOWN = new Set(LANGUAGES);

/** The language of {@link LANGUAGES} that a BCP 47 tag names, as `de` for `de-CH`; undefined for no tag and for a language that is not known. */
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

/** A tag as it is kept: written as Unicode writes it, unless it is one of {@link LANGUAGES}. */
export function tagOf(tag: string): string {
  const small = tag.toLowerCase();
  return KNOWN.has(small) ? small : (Intl.getCanonicalLocales(tag)[0] ?? tag);
}
