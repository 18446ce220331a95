import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

interface FieldProps {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly rows?: number;
  readonly class?: string;
  readonly disabled?: boolean;
  readonly readOnly?: boolean;
}

/** A labelled text field of one line, or of `rows`. */
export function Field({ label, hint, value, onInput, rows, disabled = false, readOnly = false, ...rest }: FieldProps) {
  const id = useId();
  const common = {
    id,
    value,
    disabled,
    readOnly,
    "aria-describedby": hint === undefined ? undefined : `${id}-hint`,
    spellcheck: true,
  };
  return (
    <div class={`field ${rest.class ?? ""}`}>
      <label for={id}>{label}</label>
      {rows === undefined ? (
        <input {...common} type="text" onInput={(event) => onInput(event.currentTarget.value)} />
      ) : (
        <textarea {...common} rows={rows} onInput={(event) => onInput(event.currentTarget.value)} />
      )}
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

/** A labelled choice of files. */
export function FileField(props: {
  label: string;
  hint?: string;
  multiple?: boolean;
  onChange: (files: readonly File[]) => void;
}) {
  const { label, hint, multiple = false, onChange } = props;
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="file"
        multiple={multiple}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onChange={(event) => onChange([...(event.currentTarget.files ?? [])])}
      />
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly options: readonly (readonly [value: string, text: string])[];
  readonly class?: string;
  readonly disabled?: boolean;
}

/** A labelled choice of one. */
export function Choice({ label, value, onChange, options, disabled = false, ...rest }: ChoiceProps) {
  const id = useId();
  return (
    <div class={`choice ${rest.class ?? ""}`}>
      <label for={id}>{label}</label>
      <select id={id} value={value} disabled={disabled} onChange={(event) => onChange(event.currentTarget.value)}>
        {options.map(([key, text]) => (
          <option key={key} value={key} selected={key === value}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}

/** A labelled bar of progress. */
export function Progress({ label, done, total }: { label: string; done: number; total: number | undefined }) {
  const id = useId();
  return (
    <span class="progress">
      <span class="hidden" id={id}>
        {label}
      </span>
      <progress aria-labelledby={id} {...(total !== undefined && total > 0 && { max: total, value: done })} />
    </span>
  );
}

export function Heading({ children, aside }: { children: ComponentChildren; aside?: ComponentChildren }) {
  return (
    <div class="heading">
      <h1>{children}</h1>
      {aside !== undefined && <div class="heading-aside">{aside}</div>}
    </div>
  );
}
