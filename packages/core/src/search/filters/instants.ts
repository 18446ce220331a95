/** A moment, exact to any number of decimals. */
export interface Instant {
  /** Whole seconds since 1970 in UTC, rounded down. */
  readonly seconds: number;
  /** The decimals of the second, without zeros at their end. */
  readonly fraction: string;
}

/** A longer text is no date: no clock has as many decimals. */
const DATE_CHARACTERS_MAX = 64;

/** `YYYY-MM-DD`, and with it a time of day, decimals of the second and a zone. */
const DATE = /^(\d{4})-(\d{2})-(\d{2})(?:[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?(?:([Zz])|([+-])(\d{2}):(\d{2}))?)?$/;

const DAY_SECONDS = 86_400;

/** The calendar repeats after 400 years. `Date.UTC` takes years below 100 for years of the 20th century. */
const CYCLE_YEARS = 400;
const CYCLE_MS = 146_097 * DAY_SECONDS * 1_000;

/**
 * Reads a date: `YYYY-MM-DD` (00:00 UTC), or a date and time of RFC 3339 (UTC if it names no zone). Undefined for any other text, and for
 * a day or time that does not exist. Second 60 is accepted where leap seconds are: at the end of a month in UTC. It is the same as the next second.
 */
export function instantOf(text: string): Instant | undefined {
  if (text.length > DATE_CHARACTERS_MAX) return undefined;
  const found = DATE.exec(text);
  if (found === null) return undefined;
  const part = (at: number): number => Number(found[at] ?? 0);
  const [year, month, day, hour, minute, second] = [part(1), part(2), part(3), part(4), part(5), part(6)];
  const [offsetHours, offsetMinutes] = [part(10), part(11)];
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return undefined;
  if (hour > 23 || minute > 59 || second > 60 || offsetHours > 23 || offsetMinutes > 59) return undefined;
  const local = (Date.UTC(year + CYCLE_YEARS, month - 1, day, hour, minute, second) - CYCLE_MS) / 1_000;
  const offset = (offsetHours * 60 + offsetMinutes) * 60;
  const seconds = found[9] === "-" ? local + offset : local - offset;
  if (second === 60 && !beginsMonth(seconds)) return undefined;
  return { seconds, fraction: withoutLastZeros(found[7] ?? "") };
}

/** Below 0 if `a` is earlier, above 0 if it is later, 0 if both are the same moment. */
export function compareInstants(a: Instant, b: Instant): number {
  if (a.seconds !== b.seconds) return a.seconds - b.seconds;
  if (a.fraction === b.fraction) return 0;
  return a.fraction < b.fraction ? -1 : 1;
}

function withoutLastZeros(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits[end - 1] === "0") end--;
  return digits.slice(0, end);
}

function daysIn(year: number, month: number): number {
  return new Date(Date.UTC(year + CYCLE_YEARS, month, 0)).getUTCDate();
}

function beginsMonth(seconds: number): boolean {
  return seconds % DAY_SECONDS === 0 && new Date(seconds * 1_000).getUTCDate() === 1;
}
