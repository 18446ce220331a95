import {
  cutOut,
  type Draw,
  inventedWords,
  mistyped,
  ODD_KINDS,
  rolledOver,
  shuffled,
  typedAtRandom,
} from "../../../bench/corpora/noise-text.ts";

/** A line of what `multilingual/questions.py` writes. */
export interface RealText {
  readonly kind: "help" | "program" | "words";
  readonly language: string;
  readonly text: string;
}

/** A question that means something, or one that does not. */
export interface Sample {
  readonly kind: string;
  readonly language: string;
  readonly isNoise: boolean;
  readonly text: string;
}

const WORDS_MAX = 12;
const TYPED_MAX = 6;
const OF_INVENTED = 60;
const OF_TYPED = 10;
const OF_ROLLED = 300;
const OF_ODD = 200;
/** Where one sign is a word or half of one, any of them in a row may well mean something: no noise is made of them. */
const ALPHABET_MAX = 120;
const WITHOUT_SPACES = new Set(["ja", "zh", "th", "km", "lo", "my", "dz", "bo"]);

/** What is real as it stands, cut short and mistyped; and noise in the letters of each language. */
export function samplesOf(texts: readonly RealText[], draw: Draw): Sample[] {
  const samples: Sample[] = [];
  const languages = new Set(texts.map(({ language }) => language));
  for (const language of [...languages].sort()) {
    const own = texts.filter((text) => text.language === language);
    const hasSpaces = !WITHOUT_SPACES.has(language.slice(0, 2));
    const add = (kind: string, isNoise: boolean, text: string): void => {
      if (/\p{L}.*\p{L}/su.test(text)) samples.push({ kind, language, isNoise, text });
    };
    for (const [i, { kind, text }] of own.entries()) {
      const cut = kind === "help" ? cutOut(text, 1 + draw.below(WORDS_MAX), hasSpaces, draw) : text;
      add(kind, false, cut);
      if (i % 2 === 0 && hasSpaces) add("mistyped", false, mistyped(cut, draw));
      if (i % 2 === 0 && kind === "help") add("short", false, cutOut(text, 1 + draw.below(2), hasSpaces, draw));
    }
    const alphabet = alphabetOf(own);
    if (alphabet.length > ALPHABET_MAX) continue;
    for (const [i, { kind, text }] of own.entries()) {
      if (i % 2 === 0 || kind === "words") continue;
      add("shuffled", true, shuffled(cutOut(text, 1 + draw.below(WORDS_MAX), hasSpaces, draw).toLowerCase(), draw));
    }
    for (let i = 0; i < OF_TYPED; i++) add("typed", true, typedAtRandom(alphabet, 1 + draw.below(TYPED_MAX), draw));
    const help = own.filter(({ kind }) => kind === "help").map(({ text }) => text);
    const words = inventedWords(help, help.length === 0 ? 0 : OF_INVENTED * 3, draw);
    while (words.length > 0) add("invented", true, words.splice(0, 1 + draw.below(TYPED_MAX)).join(" "));
  }
  for (let i = 0; i < OF_ROLLED; i++) {
    const text =
      i % 3 === 0 ? rolledOver(1 + draw.below(3), draw) : typedAtRandom(LATIN, 1 + draw.below(TYPED_MAX), draw);
    samples.push({ kind: i % 3 === 0 ? "rolled" : "typed", language: "*", isNoise: true, text });
  }
  for (const [kind, odd] of Object.entries(ODD_KINDS)) {
    for (let i = 0; i < OF_ODD; i++) samples.push({ kind, language: "*", isNoise: true, text: odd(draw) });
  }
  return samples;
}

const LATIN = [..."abcdefghijklmnopqrstuvwxyz"];

/** The small letters that its texts have, but for those that only stand there once or twice. */
function alphabetOf(texts: readonly RealText[]): string[] {
  const counts = new Map<string, number>();
  for (const letter of texts
    .map(({ text }) => text)
    .join("")
    .toLowerCase()
    .match(/\p{L}/gu) ?? []) {
    counts.set(letter, (counts.get(letter) ?? 0) + 1);
  }
  return [...counts].flatMap(([letter, count]) => (count > 2 ? [letter] : []));
}
