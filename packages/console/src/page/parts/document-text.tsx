import { useEffect, useRef, useState } from "preact/hooks";
import type { KnownDocument, TextPart } from "../api/types.ts";
import { t } from "../state/preferences.ts";

/** Longer documents are shown around their marks first. */
const LINES_MAX = 5000;
const LINES_AROUND = 200;
/** In longer documents the browser leaves out blocks of this many lines while they are out of sight. */
const LONG_LINES = 400;
const BLOCK_LINES = 100;

/** The markdown that lines of results count in. */
export function textOf({ content, answer }: KnownDocument): string {
  return answer ?? (content ?? []).map(({ md }) => md).join("\n");
}

interface Line {
  readonly number: number;
  readonly text: string;
}

type Piece =
  | { readonly kind: "plain"; readonly lines: readonly Line[] }
  | { readonly kind: "marked"; readonly lines: readonly Line[] }
  | {
      readonly kind: "partly";
      readonly number: number;
      readonly before: string;
      readonly text: string;
      readonly after: string;
    };

type Mark = Pick<TextPart, "text" | "start" | "stop">;

/** A text with its line numbers. Each mark is one element with exactly its text, and the best one is scrolled into view. */
export function DocumentText({ text, marks }: { text: string; marks: readonly Mark[] }) {
  const box = useRef<HTMLDivElement>(null);
  const [isWhole, setWhole] = useState(false);
  const lines = text.split("\n");
  const isLong = lines.length > LINES_MAX && !isWhole;
  const shown = isLong ? windowAround(lines.length, marks) : { from: 1, to: lines.length };
  const best = marks[0];
  // It scrolls when another text or mark is shown.
  useEffect(() => {
    const element = box.current;
    const target = element?.querySelector(`[data-line="${best?.start ?? 1}"]`);
    if (element === null || !(target instanceof HTMLElement)) return;
    const top = target.getBoundingClientRect().top - element.getBoundingClientRect().top;
    element.scrollTop += top - element.clientHeight / 4;
  }, [text, best?.start]);
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll it */}
      <div class="document-text" ref={box} tabIndex={0}>
        {piecesOf(lines, marks, shown).map((piece) => (
          <PieceOfText key={keyOf(piece)} piece={piece} isLong={lines.length > LONG_LINES} />
        ))}
      </div>
      {isLong && (
        <button type="button" class="button" onClick={() => setWhole(true)}>
          {t.value.ask.showWhole}
        </button>
      )}
    </>
  );
}

function PieceOfText({ piece, isLong }: { piece: Piece; isLong: boolean }) {
  if (piece.kind === "partly") {
    return (
      <div class="line" data-line={piece.number}>
        {piece.before}
        <mark>{piece.text}</mark>
        {piece.after}
      </div>
    );
  }
  const rows = piece.lines.map(({ number, text }, i) => (
    <span key={number} class={classOf(text)} data-line={number}>
      {i === piece.lines.length - 1 ? text : `${text}\n`}
    </span>
  ));
  if (piece.kind === "marked") return <mark class="mark-lines">{rows}</mark>;
  return <div class={isLong ? "line-block-long" : undefined}>{rows}</div>;
}

function classOf(line: string): string {
  return /^#{1,6}\s/.test(line) ? "line line-heading" : "line";
}

function keyOf(piece: Piece): string {
  return piece.kind === "partly" ? `p${piece.number}` : `${piece.kind}${piece.lines[0]?.number}`;
}

function windowAround(count: number, marks: readonly Mark[]): { from: number; to: number } {
  const starts = marks.map(({ start }) => start);
  const stops = marks.map(({ stop }) => stop);
  const from = Math.max(1, Math.min(...starts, count) - LINES_AROUND);
  return { from: marks.length === 0 ? 1 : from, to: Math.min(count, Math.max(...stops, 1) + LINES_AROUND) };
}

function piecesOf(lines: readonly string[], marks: readonly Mark[], shown: { from: number; to: number }): Piece[] {
  const pieces: Piece[] = [];
  const plain = (from: number, to: number): void => {
    for (let at = from; at <= to; at += BLOCK_LINES)
      pieces.push({ kind: "plain", lines: linesOf(lines, at, Math.min(to, at + BLOCK_LINES - 1)) });
  };
  let next = shown.from;
  for (const mark of [...marks].sort((a, b) => a.start - b.start)) {
    if (mark.start < next || mark.stop > lines.length) continue;
    plain(next, mark.start - 1);
    pieces.push(pieceOf(lines, mark));
    next = mark.stop + 1;
  }
  plain(next, shown.to);
  return pieces;
}

/** Of very long lines a part has only some sentences. */
function pieceOf(lines: readonly string[], { text, start, stop }: Mark): Piece {
  const marked = linesOf(lines, start, stop);
  const whole = marked.map((line) => line.text).join("\n");
  if (whole === text || !whole.includes(text)) return { kind: "marked", lines: marked };
  const at = whole.indexOf(text);
  return {
    kind: "partly",
    number: start,
    before: whole.slice(0, at),
    text,
    after: whole.slice(at + text.length),
  };
}

/** A `\r` before the last line break belongs to that. */
function linesOf(lines: readonly string[], from: number, to: number): Line[] {
  return lines.slice(from - 1, to).map((text, i, all) => ({
    number: from + i,
    text: i === all.length - 1 ? text.replace(/\r$/, "") : text,
  }));
}
