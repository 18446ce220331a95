import type { Violation } from "./errors.ts";
import { ValidationError } from "./errors.ts";
import { VIOLATIONS_MAX } from "./limits.ts";
import { meantBy, renamed } from "./nearest.ts";

/** Collects the broken rules of one input: the first {@link VIOLATIONS_MAX} by name, and how many there are. */
export class Violations {
  readonly #first: Violation[] = [];
  #count = 0;

  add(field: string, type: string, message: string): void {
    this.#count += 1;
    if (this.#first.length < VIOLATIONS_MAX) this.#first.push({ message, field, type });
  }

  /** Whether any rule was broken. */
  get isBroken(): boolean {
    return this.#count > 0;
  }

  /** @throws ValidationError if any rule was broken */
  throwIfAny(): void {
    if (this.#count > 0) throw new ValidationError(this.#first, this.#count);
  }

  /** Runs a check and adds the violations that it throws. Returns undefined if it threw any. */
  gather<Value>(check: () => Value): Value | undefined {
    try {
      return check();
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error;
      for (const { field, type, message } of error.violations) this.add(field, type, message);
      this.#count += error.count - error.violations.length;
      return undefined;
    }
  }

  unknownFields(object: Fields, known: ReadonlySet<string>, prefix = ""): void {
    const names = [...known];
    const hint = (name: string): string => {
      const meant = meantBy(name, names);
      return meant === undefined ? `known are ${names.join(", ")}` : `did you mean "${prefix}${meant}"?`;
    };
    for (const name of Object.keys(object)) {
      if (known.has(name)) continue;
      // A body may have tens of thousands of unknown fields. Messages that no error names are not built.
      if (this.#count >= VIOLATIONS_MAX) this.#count += 1;
      else this.add(prefix + name, "unknownField", `${prefix}${name} is not a known field; ${hint(name)}`);
    }
  }

  /** A well-formed string whose length in code points is in [min, max]; undefined if a rule is broken. */
  string(field: string, value: unknown, { min = 0, max = Number.POSITIVE_INFINITY }: Lengths = {}): string | undefined {
    if (typeof value !== "string") {
      this.add(field, "string", `${field} must be a string`);
    } else if (!value.isWellFormed()) {
      this.add(field, "string", `${field} must be well-formed Unicode: it holds half of a surrogate pair`);
    } else if (isShorter(value, min)) {
      this.add(field, "minLength", `${field} must have at least ${min} character${min === 1 ? "" : "s"}`);
    } else if (isLonger(value, max)) {
      this.add(field, "maxLength", `${field} must have at most ${max} characters`);
    } else {
      return value;
    }
    return undefined;
  }

  /** A number in [min, max]; undefined if a rule is broken. */
  number(field: string, value: unknown, { min, max = Number.POSITIVE_INFINITY, isInteger }: Range): number | undefined {
    if (typeof value !== "number" || !(isInteger ? Number.isInteger(value) : Number.isFinite(value))) {
      const type = isInteger ? "integer" : "number";
      this.add(field, type, `${field} must be ${isInteger ? "an integer" : "a number"}`);
    } else if (value < min || value > max) {
      const allowed = max === Number.POSITIVE_INFINITY ? `at least ${min}` : `from ${min} to ${max}`;
      this.add(field, "range", `${field} must be ${allowed}`);
    } else {
      return value;
    }
    return undefined;
  }

  /** An object that is not an array; undefined for any other value. */
  object(field: string, value: unknown): Fields | undefined {
    if (isFields(value)) return value;
    this.add(field, "object", `${field} must be an object`);
    return undefined;
  }

  /** One of the given strings; undefined for any other value. */
  oneOf<Choice extends string>(field: string, value: unknown, choices: readonly Choice[]): Choice | undefined {
    const found = choices.find((choice) => choice === value);
    if (found === undefined) {
      const now = typeof value === "string" ? renamed(value, choices) : undefined;
      const hint = now === undefined ? "" : `; ${value} is called ${now} now`;
      this.add(field, "enum", `${field} must be one of ${choices.join(", ")}${hint}`);
    }
    return found;
  }

  boolean(field: string, value: unknown): boolean | undefined {
    if (typeof value === "boolean") return value;
    this.add(field, "boolean", `${field} must be true or false`);
    return undefined;
  }
}

/** Requires a well-formed string of an allowed length. @throws ValidationError for any other value */
export function requireText(field: string, value: unknown, lengths: Lengths): asserts value is string {
  const violations = new Violations();
  violations.string(field, value, lengths);
  violations.throwIfAny();
}

/** Named values that are not checked yet. */
export type Fields = Readonly<Record<string, unknown>>;

/** The allowed numbers of a field, inclusive. */
interface Range {
  readonly min: number;
  /** Default: no maximum. */
  readonly max?: number;
  readonly isInteger: boolean;
}

/** Allowed lengths, inclusive, in code points. */
interface Lengths {
  readonly min?: number;
  readonly max?: number;
}

/** Whether a value is a plain object. A list, a map or a date is not. */
export function isFields(value: unknown): value is Fields {
  return Object.prototype.toString.call(value) === "[object Object]";
}

/** The own value of a field. Inherited properties are not data. */
export function own(fields: Fields, name: string): unknown {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

/** Whether a value is a safe integer from 0 on. */
export function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

/** Whether a text has more than `max` code points. A code point has one or two UTF-16 units, so most lengths need no count. */
export function isLonger(text: string, max: number): boolean {
  return text.length > max && (text.length > max * 2 || [...text].length > max);
}

/** The first 32 code points of a text, for messages. */
export function beginning(text: string): string {
  return [...text.slice(0, 64)].slice(0, 32).join("");
}

function isShorter(text: string, min: number): boolean {
  return text.length < min * 2 && [...text].length < min;
}
