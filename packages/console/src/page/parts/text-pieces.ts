import type { TextPart } from "../api/types.ts";

/** Lines of one piece. */
const BLOCK_LINES = 100;

export type Mark = Pick<TextPart, "text" | "start" | "stop">;

export interface Line {
  /** 1-based. */
  readonly number: number;
  readonly text: string;
}

/** A text that is marked or not, within lines. */
export interface Segment {
  readonly text: string;
  /** The index of its mark; undefined: it has none. */
  readonly mark?: number;
}

export type Piece =
  | { readonly kind: "plain"; readonly lines: readonly Line[] }
  /** All of its lines are one mark. */
  | { readonly kind: "marked"; readonly lines: readonly Line[]; readonly mark: number }
  /** Lines of which only some sentences are marked. */
  | { readonly kind: "partly"; readonly number: number; readonly segments: readonly Segment[] };

type Placed = Mark & { readonly mark: number };

/** Cuts lines at marks, and the lines between them into blocks. Each mark's text is whole in one piece; of overlapping texts the first is marked. */
export function piecesOf(lines: readonly string[], marks: readonly Mark[]): Piece[] {
  const pieces: Piece[] = [];
  const plain = (from: number, to: number): void => {
    for (let at = from; at <= to; at += BLOCK_LINES)
      pieces.push({ kind: "plain", lines: linesOf(lines, at, Math.min(to, at + BLOCK_LINES - 1)) });
  };
  let next = 1;
  for (const group of groupsOf(marks.map((each, mark) => ({ ...each, mark })))) {
    const start = group[0]?.start ?? 1;
    const stop = Math.max(...group.map((each) => each.stop));
    if (start < 1 || stop > lines.length) continue;
    plain(next, start - 1);
    pieces.push(markedPiece(linesOf(lines, start, stop), group));
    next = stop + 1;
  }
  plain(next, lines.length);
  return pieces;
}

/** Marks that share lines are one group: very long lines have several. */
function groupsOf(marks: readonly Placed[]): Placed[][] {
  const groups: Placed[][] = [];
  let stop = 0;
  for (const mark of [...marks].sort((a, b) => a.start - b.start)) {
    if (mark.start <= stop) groups.at(-1)?.push(mark);
    else groups.push([mark]);
    stop = Math.max(stop, mark.stop);
  }
  return groups;
}

function markedPiece(lines: readonly Line[], group: readonly Placed[]): Piece {
  const number = lines[0]?.number ?? 1;
  const whole = lines.map(({ text }) => text).join("\n");
  const places = group
    .map(({ text, start, mark }) => ({ text, mark, at: whole.indexOf(text, offsetOf(lines, start)) }))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => a.at - b.at);
  const [first] = places;
  if (first === undefined || first.text === whole)
    return { kind: "marked", lines, mark: first?.mark ?? group[0]?.mark ?? 0 };
  const segments: Segment[] = [];
  let next = 0;
  for (const { text, mark, at } of places) {
    if (at < next) continue;
    segments.push({ text: whole.slice(next, at) }, { text, mark });
    next = at + text.length;
  }
  return { kind: "partly", number, segments: [...segments, { text: whole.slice(next) }] };
}

/** Where a line begins in the text of some lines. */
function offsetOf(lines: readonly Line[], number: number): number {
  return lines.reduce((sum, line) => (line.number < number ? sum + line.text.length + 1 : sum), 0);
}

/** A `\r` before the last line break belongs to that. */
function linesOf(lines: readonly string[], from: number, to: number): Line[] {
  return lines.slice(from - 1, to).map((text, i, all) => ({
    number: from + i,
    text: i === all.length - 1 ? text.replace(/\r$/, "") : text,
  }));
}
