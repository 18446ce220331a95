import { computed, effect, signal } from "@preact/signals";
import { de } from "../texts/de.ts";
import { en, type Texts } from "../texts/en.ts";

export const LANGUAGES = { en: "English", de: "Deutsch" } as const;
export type Language = keyof typeof LANGUAGES;
export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

const ALL: Readonly<Record<Language, Texts>> = { en, de };

/** English unless a person chose: the names of controls are part of the contract. */
export const language = signal<Language>(storedLanguage() ?? "en");
export const theme = signal<Theme>(THEMES.find((each) => each === stored("theme")) ?? "system");

/** The words of the interface. */
export const t = computed(() => ALL[language.value]);

effect(() => {
  document.documentElement.lang = language.value;
});
effect(() => {
  document.documentElement.dataset.theme = theme.value;
});

export function chooseLanguage(value: Language): void {
  language.value = value;
  store("language", value);
}

export function chooseTheme(value: Theme): void {
  theme.value = value;
  store("theme", value);
}

function storedLanguage(): Language | undefined {
  const value = stored("language");
  return value === "en" || value === "de" ? value : undefined;
}

/** Only these two choices are ever stored in the browser. */
function stored(name: "language" | "theme"): string | null {
  try {
    return localStorage.getItem(`loredex-${name}`);
  } catch {
    return null;
  }
}

function store(name: "language" | "theme", value: string): void {
  try {
    localStorage.setItem(`loredex-${name}`, value);
  } catch {
    // A browser may refuse; the choice then holds for this visit.
  }
}
