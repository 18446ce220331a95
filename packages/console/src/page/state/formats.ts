import { language } from "./preferences.ts";

export function number(value: number): string {
  return new Intl.NumberFormat(language.value).format(value);
}

export function percent(share: number): string {
  return new Intl.NumberFormat(language.value, { style: "percent", maximumFractionDigits: 0 }).format(share);
}

/** A score from 0 to 1, as the command line writes it. */
export function score(value: number): string {
  return value.toFixed(2).replace(/^0\./, ".");
}

export function dateTime(iso: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return iso;
  return new Intl.DateTimeFormat(language.value, { dateStyle: "medium", timeStyle: "short" }).format(date);
}

export function milliseconds(value: number | undefined): string {
  return value === undefined ? "–" : `${value < 10 ? value.toFixed(1) : number(Math.round(value))} ms`;
}
