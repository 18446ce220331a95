import {
  chooseLanguage,
  chooseTheme,
  LANGUAGES,
  type Language,
  language,
  THEMES,
  type Theme,
  t,
  theme,
} from "../state/preferences.ts";
import { Choice } from "./field.tsx";

export function Logo() {
  return (
    <svg class="logo" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" class="logo-ground" />
      <path d="M10 8v16h12" class="logo-line" />
      <path d="M16 9h6M16 14h6M16 19h3" class="logo-lines" />
    </svg>
  );
}

/** The language and the colours of the page. */
export function Preferences() {
  const words = t.value.shell;
  return (
    <div class="preferences">
      {(Object.keys(LANGUAGES) as Language[])
        .filter((each) => each !== language.value)
        .map((each) => (
          <button key={each} type="button" class="button" lang={each} onClick={() => chooseLanguage(each)}>
            {LANGUAGES[each]}
          </button>
        ))}
      <Choice
        label={words.theme}
        value={theme.value}
        onChange={(value) => chooseTheme(value as Theme)}
        options={THEMES.map((each) => [each, words.themes[each]] as const)}
      />
    </div>
  );
}

const PATHS = {
  ask: "M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13ZM15.5 15.5 21 21",
  knowledge: "M5 4h10a3 3 0 0 1 3 3v13H8a3 3 0 0 1-3-3V4ZM9 9h6M9 13h4",
  gaps: "M4 7h9M4 12h5M4 17h9M17 9v6M14 12h6",
  measure: "M4 20V4M4 20h16M8 15l4-5 3 3 5-7",
  fleet: "M4 5h16v5H4V5ZM4 14h16v5H4v-5ZM7.5 7.5h.01M7.5 16.5h.01",
} as const;

export function Icon({ name }: { name: keyof typeof PATHS }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
