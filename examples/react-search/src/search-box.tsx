import { type KeyboardEvent, useId, useState } from "react";

interface SearchBoxProps {
  readonly value: string;
  readonly suggestions: readonly string[];
  /** Called with each change, and with a suggestion that the user chose. */
  onChange(value: string): void;
}

/** A combobox as the ARIA Authoring Practices describe it: the focus stays in the field, arrows move through the list. */
export function SearchBox({ value, suggestions, onChange }: SearchBoxProps) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  /** Undefined while no suggestion is active. */
  const [active, setActive] = useState<number>();
  const isShown = isOpen && suggestions.length > 0;
  const chosen = isShown && active !== undefined ? suggestions[active] : undefined;

  function close() {
    setOpen(false);
    setActive(undefined);
  }

  function choose(text: string) {
    onChange(text);
    close();
  }

  function move(by: 1 | -1) {
    setOpen(true);
    if (suggestions.length === 0) return;
    const from = active ?? (by === 1 ? -1 : suggestions.length);
    setActive((from + by + suggestions.length) % suggestions.length);
  }

  function onKeyDown(event: KeyboardEvent) {
    // The keys of an input method, which composes a character, are its own.
    if (event.nativeEvent.isComposing) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      move(event.key === "ArrowDown" ? 1 : -1);
    } else if (event.key === "Enter") {
      event.preventDefault();
      if (chosen === undefined) close();
      else choose(chosen);
    } else if (event.key === "Escape") {
      event.preventDefault();
      if (isShown) close();
      else onChange("");
    }
  }

  return (
    <search className="box">
      <label htmlFor={`${id}-field`}>Search the help pages</label>
      <input
        id={`${id}-field`}
        type="text"
        role="combobox"
        autoComplete="off"
        maxLength={200}
        aria-autocomplete="list"
        aria-expanded={isShown}
        aria-controls={`${id}-list`}
        aria-activedescendant={chosen === undefined ? undefined : `${id}-${active}`}
        value={value}
        onChange={(event) => {
          onChange(event.target.value);
          setOpen(true);
          setActive(undefined);
        }}
        onKeyDown={onKeyDown}
        onBlur={close}
      />
      <div className="list" id={`${id}-list`} role="listbox" aria-label="Suggestions" hidden={!isShown}>
        {suggestions.map((text, at) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the field has the focus and the keys
          <div
            key={text}
            id={`${id}-${at}`}
            role="option"
            aria-selected={at === active}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => choose(text)}
          >
            {text}
          </div>
        ))}
      </div>
    </search>
  );
}
