import { useEffect, useRef } from "preact/hooks";
import { get, ofBot } from "../../api/client.ts";
import type { KnownDocument, TextPart } from "../../api/types.ts";
import { DocumentText, textOf } from "../../parts/document-text.tsx";
import { Link, webAddress } from "../../parts/link.tsx";
import { ErrorNotice } from "../../parts/notice.tsx";
import { t } from "../../state/preferences.ts";
import { editorOf } from "../../state/route.ts";
import { mayChange } from "../../state/session.ts";
import { useLoaded } from "../../state/use-loaded.ts";
import { titleOf } from "./use-answers.ts";

interface Props {
  readonly bot: string;
  readonly id: string;
  readonly marks: readonly TextPart[];
  /** Whether a person opened it: on a narrow screen the page then moves to it. */
  readonly isChosen: boolean;
}

/** The whole text of a document, with the marks of its answer. */
export function DocumentPanel({ bot, id, marks, isChosen }: Props) {
  const words = t.value.ask;
  const region = useRef<HTMLElement>(null);
  const { data, error } = useLoaded((signal) => get<KnownDocument>(ofBot(bot, "documents", id), signal), [bot, id]);
  // It moves when another document is opened.
  useEffect(() => {
    if (isChosen && matchMedia("(max-width: 60rem)").matches) region.current?.scrollIntoView({ block: "start" });
  }, [id, isChosen]);
  const page = webAddress(data?.url);
  return (
    <section class="card document" aria-label={words.document} ref={region}>
      <ErrorNotice error={error} />
      {data !== undefined && (
        <>
          <header class="document-head">
            <h2>{titleOf(data)}</h2>
            <p class="muted document-facts">
              <span>{t.value.knowledge.types[data.type] ?? data.type}</span>
              <code class="id">{id}</code>
              {page !== undefined && (
                <a href={page} target="_blank" rel="noreferrer">
                  {words.source}
                </a>
              )}
              {data.type === "EXTERNAL" && mayChange.value && <Link to={editorOf(id)}>{words.edit}</Link>}
            </p>
            {data.alternatives !== undefined && data.alternatives.length > 0 && (
              <p class="muted">
                {words.variants}: {data.alternatives.join(" · ")}
              </p>
            )}
          </header>
          <DocumentText text={textOf(data)} marks={marks} />
        </>
      )}
    </section>
  );
}
