import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  type VirtualItem,
  Virtualizer,
} from "@tanstack/virtual-core";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

const OVERSCAN = 12;

export interface VirtualRows {
  readonly items: readonly VirtualItem[];
  /** Heights of the rows above and below those in the page, in pixels. */
  readonly before: number;
  readonly after: number;
}

/** Which rows of a long table are in the page: those in sight, and some around them. Preact's binding to TanStack Virtual. */
export function useVirtualRows(count: number, rowHeight: number, box: { current: HTMLElement | null }): VirtualRows {
  const [, redraw] = useState(0);
  const kept = useRef<Virtualizer<HTMLElement, HTMLElement> | undefined>(undefined);
  const options = {
    count,
    estimateSize: () => rowHeight,
    getScrollElement: () => box.current,
    observeElementRect,
    observeElementOffset,
    scrollToFn: elementScroll,
    overscan: OVERSCAN,
    onChange: () => redraw((before) => before + 1),
  };
  kept.current ??= new Virtualizer<HTMLElement, HTMLElement>(options);
  const virtualizer = kept.current;
  virtualizer.setOptions(options);
  useLayoutEffect(() => virtualizer._didMount(), [virtualizer]);
  useLayoutEffect(() => virtualizer._willUpdate());
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, rowHeight]);
  const items = virtualizer.getVirtualItems();
  const first = items[0];
  const last = items.at(-1);
  return {
    items,
    before: first?.start ?? 0,
    after: last === undefined ? 0 : virtualizer.getTotalSize() - last.end,
  };
}
