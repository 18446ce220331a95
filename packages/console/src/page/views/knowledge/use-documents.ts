import { useEffect, useRef, useState } from "preact/hooks";
import { call, ofBot } from "../../api/client.ts";
import type { DocumentRow } from "../../api/types.ts";
import { returns } from "../../state/connection.ts";
import { documentChanges } from "../../state/deletions.ts";

/** Rows of one request. A table of at most this many rows is in the page as a whole. */
export const PAGE_ROWS = 200;

export interface DocumentQuery {
  readonly search: string;
  readonly type: string;
  readonly status: string;
  readonly sort: string;
}

export interface Documents {
  /** Undefined until the first answer. */
  readonly total: number | undefined;
  readonly rowAt: (index: number) => DocumentRow | undefined;
  /** Loads the rows between two indexes that are missing. */
  readonly want: (from: number, to: number) => void;
  readonly error: Error | undefined;
}

interface Pages {
  readonly rows: Map<number, readonly DocumentRow[]>;
  readonly asked: Set<number>;
  readonly stop: AbortController;
}

const SEARCH_AFTER_MS = 150;

/** The documents of a bot, page by page as they are looked at. Old rows stay until new ones are here. */
export function useDocuments(bot: string, query: DocumentQuery): Documents {
  const [total, setTotal] = useState<number>();
  const [error, setError] = useState<Error>();
  const [, redraw] = useState(0);
  const shown = useRef<Pages | undefined>(undefined);
  const { search, type, status, sort } = query;
  const load = async (pages: Pages, page: number): Promise<void> => {
    if (pages.asked.has(page)) return;
    pages.asked.add(page);
    const parameters = new URLSearchParams({ offset: String(page * PAGE_ROWS), limit: String(PAGE_ROWS), sort });
    if (search !== "") parameters.set("search", search);
    if (type !== "") parameters.set("type", type);
    if (status !== "") parameters.set("status", status);
    try {
      const { data, body } = await call<DocumentRow[]>("GET", `${ofBot(bot, "documents")}?${parameters}`, {
        signal: pages.stop.signal,
      });
      if (pages.stop.signal.aborted) return;
      pages.rows.set(page, data);
      if (shown.current !== pages) shown.current?.stop.abort();
      shown.current = pages;
      setTotal(body.total ?? data.length);
      setError(undefined);
      redraw((before) => before + 1);
    } catch (error) {
      if (pages.stop.signal.aborted) return;
      pages.asked.delete(page);
      setError(error as Error);
    }
  };
  // `load` reads these; changes elsewhere load again.
  useEffect(() => {
    const pages: Pages = { rows: new Map(), asked: new Set(), stop: new AbortController() };
    const timer = setTimeout(() => void load(pages, 0), shown.current === undefined ? 0 : SEARCH_AFTER_MS);
    return () => {
      clearTimeout(timer);
      if (shown.current !== pages) pages.stop.abort();
    };
  }, [bot, search, type, status, sort, documentChanges.value, returns.value]);
  useEffect(() => () => shown.current?.stop.abort(), []);
  return {
    total,
    error,
    rowAt: (index) => shown.current?.rows.get(Math.floor(index / PAGE_ROWS))?.[index % PAGE_ROWS],
    want: (from, to) => {
      const pages = shown.current;
      if (pages === undefined) return;
      for (let page = Math.floor(from / PAGE_ROWS); page * PAGE_ROWS <= to; page += 1) void load(pages, page);
    },
  };
}
