import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { KnownDocument } from "../api/types.ts";
import { type Line, type Mark, type Piece, piecesOf } from "./text-pieces.ts";

/** In longer documents the browser leaves out pieces that are out of sight. */
const LONG_LINES = 400;
/** In longer ones a piece out of sight is one text, without an element for each line. */
const LINES_MAX = 5000;
const LINE_PIXELS = 25;

/** The markdown that lines of results count in. */
export function textOf({ content, answer }: KnownDocument): string {
  return answer ?? (content ?? []).map(({ md }) => md).join("\n");
}

/** A text with its line numbers. Each mark is one element with exactly its text, and the first mark is scrolled into view. */
export function DocumentText({ text, marks }: { text: string; marks: readonly Mark[] }) {
  const box = useRef<HTMLDivElement>(null);
  const lines = useMemo(() => text.split("\n"), [text]);
  const pieces = useMemo(() => piecesOf(lines, marks), [lines, marks]);
  const best = marks[0];
  // It scrolls when another text or mark is shown.
  useEffect(() => {
    const element = box.current;
    const target = element?.querySelector('[data-mark="0"]') ?? element?.firstElementChild;
    if (element === null || !target) return;
    const top = target.getBoundingClientRect().top - element.getBoundingClientRect().top;
    element.scrollTop += top - element.clientHeight / 4;
  }, [text, best?.start, best?.text]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll it
    <div class="document-text" ref={box} tabIndex={0}>
      {pieces.map((piece) => (
        <PieceOfText key={keyOf(piece)} piece={piece} count={lines.length} />
      ))}
    </div>
  );
}

function PieceOfText({ piece, count }: { piece: Piece; count: number }) {
  if (piece.kind === "partly") {
    return (
      <div class="line" data-line={piece.number}>
        {piece.segments.map(({ text, mark }) =>
          mark === undefined ? (
            text
          ) : (
            <mark key={mark} data-mark={mark}>
              {text}
            </mark>
          ),
        )}
      </div>
    );
  }
  if (piece.kind === "marked") {
    return (
      <mark class="mark-lines" data-mark={piece.mark}>
        <Lines lines={piece.lines} />
      </mark>
    );
  }
  if (count > LINES_MAX) return <FarLines lines={piece.lines} />;
  return (
    <div class={count > LONG_LINES ? "line-block-long" : undefined}>
      <Lines lines={piece.lines} />
    </div>
  );
}

function Lines({ lines }: { lines: readonly Line[] }) {
  return lines.map(({ number, text }, i) => (
    <span key={number} class={/^#{1,6}\s/.test(text) ? "line line-heading" : "line"} data-line={number}>
      {i === lines.length - 1 ? text : `${text}\n`}
    </span>
  ));
}

/** Lines that have their numbers while they are near the view. Elsewhere they are one text, which the browser's own search finds. */
function FarLines({ lines }: { lines: readonly Line[] }) {
  const block = useRef<HTMLDivElement>(null);
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    const element = block.current;
    if (element === null) return;
    const options = { root: element.parentElement, rootMargin: "100%" };
    const observer = new IntersectionObserver((entries) => setNear(entries.at(-1)?.isIntersecting === true), options);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return (
    <div class="line-block-long" ref={block} style={{ containIntrinsicSize: `auto ${lines.length * LINE_PIXELS}px` }}>
      {isNear ? <Lines lines={lines} /> : <span class="line">{lines.map(({ text }) => text).join("\n")}</span>}
    </div>
  );
}

function keyOf(piece: Piece): string {
  return piece.kind === "partly" ? `p${piece.number}` : `${piece.kind}${piece.lines[0]?.number}`;
}
