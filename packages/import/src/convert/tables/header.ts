import type { Row } from "./grid.ts";

/** A table divided into its header and its rows. */
export interface Headed {
  /** Undefined if the table has no header. */
  readonly header: readonly string[] | undefined;
  /** The row number of the header, the first of two; undefined if the header is that of another table. */
  readonly headerRow?: number;
  readonly rows: readonly Row[];
}

/** Maximum length of a column name, in UTF-16 units. */
const NAME_UNITS_MAX = 200;
/** Number of rows that are checked to find the kind of a column. */
const LOOKED_AT = 200;

/** Divides a table into its header, of one row or two, and its rows. */
export function headed(rows: readonly Row[]): Headed {
  const [first, second] = rows;
  if (first === undefined) return { header: undefined, rows };
  const groups = second === undefined ? undefined : groupsOf(first, second);
  if (groups !== undefined && second !== undefined && isHeader(second, rows.slice(2))) {
    const names = second.cells.map((name, i) => joinedName(groups[i] ?? "", name));
    return { header: names, headerRow: first.number, rows: rows.slice(2) };
  }
  return isHeader(first, rows.slice(1))
    ? { header: first.cells, headerRow: first.number, rows: rows.slice(1) }
    : { header: undefined, rows };
}

/** Returns the group of each column if a row names groups of the columns that the next row names; undefined for any other row. */
function groupsOf(row: Row, names: Row): readonly string[] | undefined {
  return row.wide.length > 0 ? row.cells : toldGroups(row, names);
}

/**
 * Returns groups whose names stand only above their first columns. They count as groups only if several columns would have equal names without them. Else the
 * row may be any line above a table.
 */
export function toldGroups({ cells }: Row, names: Row): readonly string[] | undefined {
  const told = cells.filter((text) => text !== "");
  if (told.length < 2 || told.some((text, i) => kindOf(text) === "number" || told.indexOf(text) !== i))
    return undefined;
  let group = "";
  const groups = cells.map((text) => {
    if (text !== "") group = text;
    return group;
  });
  const own = names.cells.filter((name) => name !== "");
  const joined = names.cells.flatMap((name, i) => (name === "" ? [] : [joinedName(groups[i] ?? "", name)]));
  const isDoubled = new Set(own).size < own.length;
  return isDoubled && new Set(joined).size === joined.length ? groups : undefined;
}

function joinedName(group: string, name: string): string {
  return group === name || group === "" ? name : `${group} ${name}`.trim();
}

/** True if rows below an empty one begin with a clear header: names above a column of numbers or dates. */
export function hasEvidentHeader(rows: readonly Row[]): boolean {
  const [first, ...below] = rows;
  if (first === undefined || below.length === 0 || !isHeader(first, below)) return false;
  return first.cells.some((name, i) => kindOf(name) === "text" && mostKind(below, i) !== "text");
}

/** True if a row may be the header of the rows below it. */
function isHeader(row: Row, below: readonly Row[]): boolean {
  const kinds = row.cells.map(kindOf);
  if (!kinds.includes("text") || isOfForm(row)) return false;
  return row.cells.every((name, i) => {
    if (name === "") return true;
    if (name.length > NAME_UNITS_MAX || kinds[i] === "number" || kinds[i] === "address") return false;
    // Years and dates may be headers of number columns, but not of columns of years and dates.
    if (kinds[i] !== "text") return mostKind(below, i) !== kinds[i];
    return !below.slice(0, LOOKED_AT).some(({ cells }) => cells[i] === name && !isSame(cells, row.cells));
  });
}

/** True for labels with their values beside them: `Name: | Ann Smith | Date: | 2024-05-01`. */
function isOfForm({ cells }: Row): boolean {
  return cells.some((text, i) => /\p{L}\)?:$/u.test(text) && /[^:]$/.test(cells[i + 1] ?? ""));
}

/** True for a repeated header, as above every page: it is no row. */
export function isSame(some: readonly string[], others: readonly string[]): boolean {
  return some.every((text, i) => text === others[i]);
}

type Kind = "text" | "number" | "year" | "date" | "address";

const NUMBER =
  /^[-+(]?(?:\p{Sc}|[A-Z]{3} )?[ \u00a0]?[-+]?\d[\d.,'’ \u00a0\u202f]*(?:[ \u00a0]?(?:%|\p{Sc}|[A-Z]{3}))?\)?$/u;
const YEAR = /^(?:19|20)\d\d$/;
const DATE = /^(?:\d{4}-\d\d?(?:-\d\d?)?|\d\d?[./]\d\d?[./]\d{2,4})(?:[ T]\d\d?:\d\d(?::\d\d)?)?$/;
const ADDRESS = /^(?:https?:\/\/\S+|[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+)$/;
const VALUE_UNITS_MAX = 100;

function kindOf(text: string): Kind {
  if (text === "" || text.length > VALUE_UNITS_MAX) return "text";
  if (YEAR.test(text)) return "year";
  if (DATE.test(text)) return "date";
  if (NUMBER.test(text)) return "number";
  return ADDRESS.test(text) ? "address" : "text";
}

/** Returns the most frequent kind in a column; text if the column is empty. */
function mostKind(rows: readonly Row[], column: number): Kind {
  const counts = new Map<Kind, number>();
  for (const { cells } of rows.slice(0, LOOKED_AT)) {
    const text = cells[column] ?? "";
    if (text !== "") counts.set(kindOf(text), (counts.get(kindOf(text)) ?? 0) + 1);
  }
  let most: Kind = "text";
  for (const [kind, count] of counts) if (count > (counts.get(most) ?? 0)) most = kind;
  return most;
}
