import type { WrittenLanguageSurroundings } from "../../src/background/written-language.ts";

/** Of a bot whose documents' languages nobody is told. */
export const UNREAD_LANGUAGES: WrittenLanguageSurroundings = {
  reader: {
    isPlainlyEnglish: () => true,
    teller: async () => ({ knows: () => false, tell: () => undefined, hasSentences: () => true }),
  },
  lastKnown: undefined,
  onKnown: () => undefined,
};
