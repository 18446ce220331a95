import { language } from "./preferences.ts";

export function number(value: number): string {
  return new Intl.NumberFormat(language.value).format(value);
}

export function percent(share: number): string {
  return new Intl.NumberFormat(language.value, { style: "percent", maximumFractionDigits: 0 }).format(share);
}

/** A score from 0 to 1: in English as the command line writes it. */
export function score(value: number, digits = 2): string {
  return decimal(value, digits).replace(/^0\./, ".");
}

/** A number with this number of decimals. */
export function decimal(value: number, digits: number): string {
  return new Intl.NumberFormat(language.value, {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(value);
}

/** Three figures: differences of runs are small. */
export function score3(value: number): string {
  return score(value, 3);
}

export function dateTime(iso: string, timeStyle: "short" | "medium" = "short"): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return iso;
  return new Intl.DateTimeFormat(locale(), { dateStyle: "medium", timeStyle }).format(date);
}

/** A time among others: with seconds if another one has the same minute. */
export function dateTimeAmong(iso: string, others: readonly { readonly at: string }[]): string {
  const minute = iso.slice(0, 16);
  return dateTime(iso, others.some(({ at }) => at !== iso && at.startsWith(minute)) ? "medium" : "short");
}

/** A time of today, or an older date: for tables. */
export function shortDate(iso: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return iso;
  const isToday = date.toDateString() === new Date().toDateString();
  return new Intl.DateTimeFormat(locale(), isToday ? { timeStyle: "short" } : { dateStyle: "medium" }).format(date);
}

/** The browser's region, if it speaks the language of the page. */
export function locale(): string {
  return navigator.languages.find((each) => each.split("-")[0] === language.value) ?? language.value;
}

/** A number of bytes in a unit that people read. */
export function size(bytes: number): string {
  const [unit, one] = bytes < 1e3 ? ["byte", 1] : bytes < 1e6 ? ["kilobyte", 1e3] : ["megabyte", 1e6];
  const format = { style: "unit", unit, maximumFractionDigits: bytes < 1e7 ? 1 : 0 } as const;
  return new Intl.NumberFormat(language.value, format).format(bytes / one);
}

export function milliseconds(value: number | undefined): string {
  return value === undefined ? "–" : `${value < 10 ? decimal(value, 1) : number(Math.round(value))}\u00a0ms`;
}
