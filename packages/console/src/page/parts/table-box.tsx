import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

/** The frame of a table. Where the table is wider than it, keys scroll it. */
export function TableBox({ children, isBlock = false }: { children: ComponentChildren; isBlock?: boolean }) {
  const box = useRef<HTMLDivElement>(null);
  const [isScrolled, setScrolled] = useState(false);
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => setScrolled(element.scrollWidth > element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return (
    // Keys scroll it.
    <div class={isBlock ? "table-box block" : "table-box"} ref={box} tabIndex={isScrolled ? 0 : undefined}>
      {children}
    </div>
  );
}
