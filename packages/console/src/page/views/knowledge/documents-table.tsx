import { useEffect, useRef } from "preact/hooks";
import type { DocumentRow } from "../../api/types.ts";
import { ChangeButton } from "../../parts/change-button.tsx";
import { useVirtualRows } from "../../parts/virtual-rows.ts";
import { dateTime, number, shortDate } from "../../state/formats.ts";
import { t } from "../../state/preferences.ts";
import { mayChange } from "../../state/session.ts";
import { type Documents, PAGE_ROWS } from "./use-documents.ts";

const COLUMNS = ["title", "type", "status", "source", "characters", "updatedAt"] as const;
/** Rows of a long table have one height. */
const ROW_PIXELS = 56;

interface Props {
  readonly documents: Documents;
  readonly total: number;
  readonly sort: string;
  readonly onSort: (sort: string) => void;
  readonly onEdit: (row: DocumentRow) => void;
  readonly onDelete: (row: DocumentRow) => void;
}

/** The documents of a bot. Up to 200 rows are all in the page; of more, those in sight. */
export function DocumentsTable(props: Props) {
  const words = t.value.knowledge;
  const box = useRef<HTMLDivElement>(null);
  const { documents, total } = props;
  const isVirtual = total > PAGE_ROWS;
  const { items, before, after } = useVirtualRows(isVirtual ? total : 0, ROW_PIXELS, box);
  const from = items[0]?.index ?? 0;
  const to = items.at(-1)?.index ?? 0;
  // Rows in sight are loaded.
  useEffect(() => {
    if (isVirtual) documents.want(from, to);
  }, [isVirtual, from, to, documents]);
  const indexes = isVirtual ? items.map(({ index }) => index) : Array.from({ length: total }, (_, i) => i);
  return (
    // Keys scroll it.
    <div class={isVirtual ? "table-box table-box-long" : "table-box"} ref={box} tabIndex={isVirtual ? 0 : undefined}>
      <table class="table documents-table" aria-rowcount={total + 1}>
        <caption class="hidden">{words.table}</caption>
        <thead>
          <tr aria-rowindex={1}>
            {COLUMNS.map((column) => (
              <SortHeader key={column} column={column} sort={props.sort} onSort={props.onSort} />
            ))}
            <th scope="col" class="col-actions">
              <span class="hidden">{words.actions}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {before > 0 && <Spacer pixels={before} />}
          {indexes.map((index) => (
            <Row key={documents.rowAt(index)?.id ?? index} {...props} index={index} row={documents.rowAt(index)} />
          ))}
          {after > 0 && <Spacer pixels={after} />}
        </tbody>
      </table>
    </div>
  );
}

function Spacer({ pixels }: { pixels: number }) {
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a space is no row
    <tr aria-hidden="true" class="spacer">
      <td colSpan={COLUMNS.length + 1} style={{ height: `${pixels}px` }} />
    </tr>
  );
}

function SortHeader(props: { column: (typeof COLUMNS)[number]; sort: string; onSort: (sort: string) => void }) {
  const { column, sort, onSort } = props;
  const [sorted, direction] = sort.split(":");
  const isSorted = sorted === column;
  const name = t.value.knowledge.columns[column];
  const next = isSorted && direction === "desc" ? "asc" : "desc";
  const isText = column === "title" || column === "type" || column === "status";
  return (
    <th
      scope="col"
      class={`col-${column}`}
      aria-label={name}
      aria-sort={isSorted ? (direction === "desc" ? "descending" : "ascending") : undefined}
    >
      {column === "source" ? (
        name
      ) : (
        <button
          type="button"
          class="sort"
          aria-label={t.value.knowledge.sort(name)}
          onClick={() => onSort(`${column}:${isSorted ? next : isText ? "asc" : "desc"}`)}
        >
          {name}
          <span class="sort-mark" aria-hidden="true">
            {isSorted ? (direction === "desc" ? "↓" : "↑") : ""}
          </span>
        </button>
      )}
    </th>
  );
}

function Row(props: Props & { index: number; row: DocumentRow | undefined }) {
  const { row, index } = props;
  const words = t.value.knowledge;
  if (row === undefined) {
    return (
      <tr aria-rowindex={index + 2} class="row-loading">
        <td colSpan={COLUMNS.length + 1}>…</td>
      </tr>
    );
  }
  const id = `row-${index}`;
  const type = words.types[row.type] ?? row.type;
  const status = words.statuses[row.status] ?? row.status;
  return (
    <tr aria-rowindex={index + 2}>
      <td class="col-title">
        <span class="cell-title" id={id} title={row.title ?? row.id}>
          {row.title ?? row.id}
        </span>
        <span class="cell-note muted narrow-only">
          {type} · {status}
        </span>
      </td>
      <td class="col-type">{type}</td>
      <td class="col-status">
        <span class={`dot dot-${row.status}`} aria-hidden="true" />
        {status}
      </td>
      <td class="col-source">
        <span class="cell-title muted" title={row.source}>
          {row.source ?? "–"}
        </span>
      </td>
      <td class="col-characters number">{number(row.characters)}</td>
      <td class="col-updatedAt muted" title={row.updatedAt && dateTime(row.updatedAt)}>
        {row.updatedAt === undefined ? "–" : shortDate(row.updatedAt)}
      </td>
      <td class="col-actions">
        <button type="button" class="button-quiet" aria-describedby={id} onClick={() => props.onEdit(row)}>
          {mayChange.value ? words.edit : words.show}
        </button>
        <ChangeButton class="button-quiet" aria-describedby={id} onClick={() => props.onDelete(row)}>
          {words.delete}
        </ChangeButton>
      </td>
    </tr>
  );
}
