import { Choice, Field } from "../../parts/field.tsx";
import { t } from "../../state/preferences.ts";

/** The settings of a bot, in the order of the form. */
export const SETTINGS = [
  "name",
  "language",
  "embedder",
  "quality",
  "quotaCharacters",
  "rateCharactersPerMinute",
  "quotaBytes",
  "rateBytesPerMinute",
  "importBytes",
  "questionLog",
  "questionLogDays",
  "gapScore",
] as const;
type Name = (typeof SETTINGS)[number];
/** Settings as they are typed. */
export type Typed = Readonly<Record<Name, string>>;

const CHOICES: { readonly [Setting in Name]?: readonly string[] } = {
  quality: ["best", "fast"],
  questionLog: ["true", "false"],
};

export function typed(settings: Partial<Readonly<Record<Name, unknown>>>): Typed {
  return Object.fromEntries(SETTINGS.map((name) => [name, String(settings[name] ?? "")])) as Typed;
}

/** What was changed, in the form that the API takes. The server says what is wrong with a value. */
export function changed(before: Typed, after: Typed): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    SETTINGS.filter((name) => before[name] !== after[name]).map((name) => [name, sentValue(name, after[name].trim())]),
  );
}

function sentValue(name: Name, text: string): unknown {
  if (name === "name" || name === "language" || name === "embedder") return text;
  if (name === "questionLog") return text === "true";
  return text === "" || Number.isNaN(Number(text)) ? text : Number(text);
}

/** A field for each setting. */
export function SettingsFields(props: {
  settings: Typed;
  onInput: (settings: Typed) => void;
  disabled?: boolean;
  /** Whether a choice may be left to the server. */
  hasDefaults?: boolean;
}) {
  const { settings, onInput, disabled = false, hasDefaults = false } = props;
  const words = t.value.bots;
  return (
    <div class="settings">
      {SETTINGS.map((name) => {
        const common = { label: words.settings[name], value: settings[name], disabled };
        const set = (value: string): void => onInput({ ...settings, [name]: value });
        const choices = CHOICES[name];
        if (choices === undefined) return <Field key={name} {...common} hint={words.hints[name]} onInput={set} />;
        const options = choices.map((each) => [each, words.choices[each] ?? each] as const);
        return (
          <Choice
            key={name}
            {...common}
            onChange={set}
            options={hasDefaults ? [["", words.byDefault], ...options] : options}
          />
        );
      })}
    </div>
  );
}
