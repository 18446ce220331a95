import { dateFromSerial, format, getFormatDateInfo, isDateFormat } from "numfmt";

/** Built-in formats that a workbook need not contain. 14 and 22 depend on the reader's country. */
const BUILT_IN: Readonly<Record<number, string>> = {
  1: "0",
  2: "0.00",
  3: "#,##0",
  4: "#,##0.00",
  9: "0%",
  10: "0.00%",
  11: "0.00E+00",
  12: "# ?/?",
  13: "# ??/??",
  14: "yyyy-mm-dd",
  15: "d-mmm-yy",
  16: "d-mmm",
  17: "mmm-yy",
  18: "h:mm AM/PM",
  19: "h:mm:ss AM/PM",
  20: "h:mm",
  21: "h:mm:ss",
  22: "yyyy-mm-dd h:mm",
  37: "#,##0;(#,##0)",
  38: "#,##0;(#,##0)",
  39: "#,##0.00;(#,##0.00)",
  40: "#,##0.00;(#,##0.00)",
  45: "mm:ss",
  46: "[h]:mm:ss",
  47: "mm:ss.0",
  48: "##0.0E+0",
  49: "@",
};

export function builtInFormat(id: number): string {
  return BUILT_IN[id] ?? "General";
}

/** Days between the two epochs of workbooks: 1900 and 1904. */
const DAYS_1904 = 1_462;

/** Formats a number as shown. A date becomes an ISO date, whatever the country. */
export function shownNumber(value: number, pattern: string, is1904: boolean): string {
  if (isDateFormat(pattern)) {
    const date = isoDate(is1904 ? value + DAYS_1904 : value, pattern);
    if (date !== undefined) return date;
  }
  return formatted(value, pattern).trim();
}

/** Formats a number; an invalid pattern must not lose it. */
function formatted(value: number, pattern: string): string {
  try {
    return format(pattern, value, { throws: true });
  } catch {
    return String(value);
  }
}

/** Undefined for a value without a day: elapsed hours, or only the name of a month. */
function isoDate(serial: number, pattern: string): string | undefined {
  const { year, month, day, hours, minutes, seconds } = getFormatDateInfo(pattern);
  const found = serial < 0 ? null : dateFromSerial(serial);
  if (found === null) return undefined;
  const [y = 0, m = 0, d = 0, h = 0, min = 0, s = 0] = found;
  const time = [h, min, ...(seconds && s > 0 ? [s] : [])].map(two).join(":");
  const isElapsed = /\[[hms]+\]/i.test(pattern);
  if (day && month) return hours && minutes && serial % 1 !== 0 ? `${isoDay(y, m, d)} ${time}` : isoDay(y, m, d);
  return !year && !month && hours && !isElapsed ? time : undefined;
}

function isoDay(year: number, month: number, day: number): string {
  return `${String(year).padStart(4, "0")}-${two(month)}-${two(day)}`;
}

function two(number: number): string {
  return String(number).padStart(2, "0");
}
