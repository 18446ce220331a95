/** A moment, exact to any number of decimals. */
export interface Instant {
  /** Whole seconds since 1970 in UTC, rounded down. */
  readonly seconds: number;
  /** The decimals of the second, without zeros at their end. */
  readonly fraction: string;
}

/** A longer text is no date: no clock has as many decimals. */
const DATE_CHARACTERS_MAX = 64;

/** A time of day, decimals of the second and a zone, behind `YYYY-MM-DD`. */
const TIME = /^[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?(?:[Zz]|([+-])(\d{2}):(\d{2}))?$/;

/** Length of `YYYY-MM-DD`. */
const DAY_CHARACTERS = 10;
const DAY_SECONDS = 86_400;

/** Days from 0001-01-01 to 1970-01-01. */
const DAYS_TO_1970 = 719_162;

/** Days of a year before each month, without the 29th of February. */
const DAYS_BEFORE = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365];

/**
 * Reads a date: `YYYY-MM-DD` (00:00 UTC), or a date and time of RFC 3339 (UTC if it names no zone). Undefined for any other text, and for
 * a day or time that does not exist. Second 60 is accepted where leap seconds are: at the end of a month in UTC. It is the same as the next second.
 */
export function instantOf(text: string): Instant | undefined {
  if (text.length < DAY_CHARACTERS || text.length > DATE_CHARACTERS_MAX) return undefined;
  const day = dayOf(text);
  if (day === undefined) return undefined;
  if (text.length === DAY_CHARACTERS) return { seconds: day * DAY_SECONDS, fraction: "" };
  const found = TIME.exec(text.slice(DAY_CHARACTERS));
  if (found === null) return undefined;
  const part = (at: number): number => Number(found[at] ?? 0);
  const [hour, minute, second, offsetHours, offsetMinutes] = [part(1), part(2), part(3), part(6), part(7)];
  if (hour > 23 || minute > 59 || second > 60 || offsetHours > 23 || offsetMinutes > 59) return undefined;
  const local = day * DAY_SECONDS + (hour * 60 + minute) * 60 + second;
  const offset = (offsetHours * 60 + offsetMinutes) * 60;
  const seconds = found[5] === "-" ? local + offset : local - offset;
  if (second === 60 && !beginsMonth(seconds)) return undefined;
  return { seconds, fraction: withoutLastZeros(found[4] ?? "") };
}

/** The days from 1970-01-01 to the day with which a text begins; undefined if it begins with none. */
function dayOf(text: string): number | undefined {
  if (text[4] !== "-" || text[7] !== "-") return undefined;
  const year = numberAt(text, 0) * 100 + numberAt(text, 2);
  const month = numberAt(text, 5);
  const day = numberAt(text, 8);
  // False for NaN, which stands for something else than digits.
  if (!(year >= 0 && month >= 1 && month <= 12 && day >= 1)) return undefined;
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const before = DAYS_BEFORE[month - 1] as number;
  const length = (DAYS_BEFORE[month] as number) - before + (isLeap && month === 2 ? 1 : 0);
  if (day > length) return undefined;
  const last = year - 1;
  const years = 365 * last + Math.floor(last / 4) - Math.floor(last / 100) + Math.floor(last / 400);
  return years + before + (isLeap && month > 2 ? 1 : 0) + day - 1 - DAYS_TO_1970;
}

/** The number of two digits; NaN if there are none. */
function numberAt(text: string, at: number): number {
  return digitAt(text, at) * 10 + digitAt(text, at + 1);
}

const ZERO = 48;

function digitAt(text: string, at: number): number {
  const digit = text.charCodeAt(at) - ZERO;
  return digit >= 0 && digit <= 9 ? digit : Number.NaN;
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

function beginsMonth(seconds: number): boolean {
  return seconds % DAY_SECONDS === 0 && new Date(seconds * 1_000).getUTCDate() === 1;
}
