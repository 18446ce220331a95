import { useState } from "preact/hooks";
import { call, ofBot } from "../api/client.ts";
import type { DocumentRow } from "../api/types.ts";
import { t } from "../state/preferences.ts";
import { useLoaded } from "../state/use-loaded.ts";
import { useSettled } from "../state/use-settled.ts";
import { Field } from "./field.tsx";

const FOUND_MAX = 8;
const SEARCH_CHARACTERS_MAX = 200;
/** The wait after a key. */
const SEARCH_AFTER_MS = 120;

/** Finds a document by its title or id. */
export function DocumentSearch(props: {
  bot: string;
  label: string;
  hint: string;
  onChoose: (document: { readonly id: string; readonly title: string }) => void;
}) {
  const [text, setText] = useState("");
  const wanted = useSettled(text.trim().slice(0, SEARCH_CHARACTERS_MAX), SEARCH_AFTER_MS);
  const { data } = useLoaded(
    (signal) => (wanted === "" ? undefined : rowsOf(props.bot, wanted, signal)),
    [props.bot, wanted],
  );
  const rows = data ?? [];
  return (
    <div class="document-search">
      <Field label={props.label} hint={props.hint} value={text} onInput={setText} />
      <div class="found-documents">
        {rows.map(({ id, title = id }) => (
          <button key={id} type="button" class="found-document" onClick={() => props.onChoose({ id, title })}>
            <span>{title}</span>
            <code class="id">{id}</code>
          </button>
        ))}
        {data !== undefined && rows.length === 0 && <p class="muted">{t.value.knowledge.none}</p>}
      </div>
    </div>
  );
}

async function rowsOf(bot: string, search: string, signal: AbortSignal): Promise<readonly DocumentRow[]> {
  const parameters = new URLSearchParams({ search, limit: String(FOUND_MAX) });
  return (await call<DocumentRow[]>("GET", `${ofBot(bot, "documents")}?${parameters}`, { signal })).data;
}
