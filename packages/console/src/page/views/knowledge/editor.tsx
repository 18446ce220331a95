import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { call, ofBot } from "../../api/client.ts";
import type { Article, Draft } from "../../api/types.ts";
import { ChangeButton } from "../../parts/change-button.tsx";
import { Field, Heading } from "../../parts/field.tsx";
import { ErrorNotice } from "../../parts/notice.tsx";
import { draftOf, keepDraft } from "../../state/drafts.ts";
import { t } from "../../state/preferences.ts";
import { addressOf, navigate, query } from "../../state/route.ts";
import { gapToClose, lastSave } from "../../state/saves.ts";
import { mayChange } from "../../state/session.ts";
import { useLoaded } from "../../state/use-loaded.ts";
import { BotSees } from "./bot-sees.tsx";
import { Conflict } from "./conflict.tsx";
import { draftOfArticle, EMPTY, isSame, wrongMetadata } from "./editor-text.ts";
import { type Base, useSave } from "./use-save.ts";

/** Writes a new article, or changes one. What is typed is kept until it is saved or discarded. */
export function Editor({ bot, id }: { bot: string; id: string | undefined }) {
  const { data, error } = useLoaded((signal) => (id === undefined ? undefined : load(bot, id, signal)), [bot, id]);
  if (id !== undefined && data === undefined) return <ErrorNotice error={error} />;
  return <EditorForm bot={bot} id={id} first={data} />;
}

async function load(bot: string, id: string, signal: AbortSignal): Promise<Base> {
  const { data, etag } = await call<Article>("GET", ofBot(bot, "articles", id), { signal });
  return { article: data, etag };
}

function EditorForm({ bot, id, first }: { bot: string; id: string | undefined; first: Base | undefined }) {
  const words = t.value.editor;
  const key = `${bot}/${id ?? "new"}`;
  const gap = id === undefined ? gapToClose.value : undefined;
  const suggested = query.value.get("title") ?? "";
  // A version that was loaded later is no longer the one that was changed.
  const base = useRef(first);
  const stored = base.current === undefined ? EMPTY : draftOfArticle(base.current.article);
  const [draft, setDraft] = useState<Draft>(() => draftOf(key) ?? { ...stored, title: stored.title || suggested });
  const { save, conflict, problem, isBusy, keepMine, takeTheirs, mine } = useSave(bot, base, setDraft);
  const isChanged = !isSame(draft, stored);
  // At once: the tab may be closed next.
  useLayoutEffect(() => keepDraft(key, isChanged ? draft : undefined), [key, draft, isChanged]);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    lastSave.value = undefined;
    form.current?.querySelector<HTMLElement>(".title-field input")?.focus();
  }, []);
  const leave = (): void => navigate(addressOf("knowledge"));
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const saved = await save(draft);
    if (saved === undefined) return;
    keepDraft(key, undefined);
    lastSave.value = { id: saved.id, ...(gap !== undefined && { question: gap.question }) };
    gapToClose.value = undefined;
    leave();
  };
  const discard = (): void => {
    keepDraft(key, undefined);
    gapToClose.value = undefined;
    leave();
  };
  const wrongLine = wrongMetadata(draft.metadata);
  const set = (changed: Partial<Draft>): void => setDraft((before) => ({ ...before, ...changed }));
  return (
    <form class="editor" ref={form} onSubmit={submit}>
      <Heading
        aside={
          <>
            {isChanged && <span class="badge badge-warn">{words.unsaved}</span>}
            <button type="button" class="button-quiet" onClick={leave}>
              {words.back}
            </button>
            {isChanged && (
              <button type="button" class="button" onClick={discard}>
                {words.discard}
              </button>
            )}
            <ChangeButton type="submit" class="button button-strong" disabled={isBusy || wrongLine !== undefined}>
              {words.save}
            </ChangeButton>
          </>
        }
      >
        {id === undefined ? words.newTitle : mayChange.value ? words.editTitle : t.value.knowledge.types.EXTERNAL}
      </Heading>
      <ErrorNotice error={problem} />
      <Conflict
        conflict={conflict}
        draft={draft}
        mine={mine}
        onKeepMine={keepMine}
        onTakeTheirs={() => takeTheirs(draft)}
      />
      {gap !== undefined && (
        <aside class="notice notice-calm">
          <p>{words.fromGap(gap.count)}</p>
          <p>{gap.examples.join(" · ")}</p>
        </aside>
      )}
      <div class="editor-columns">
        <div class="card editor-fields">
          <Field
            label={words.title}
            readOnly={!mayChange.value}
            value={draft.title}
            onInput={(title) => set({ title })}
            class="title-field"
          />
          <Field
            label={words.body}
            readOnly={!mayChange.value}
            value={draft.body}
            rows={18}
            onInput={(body) => set({ body })}
            class="body-field"
          />
          <details>
            <summary>{words.more}</summary>
            <Field
              label={words.address}
              readOnly={!mayChange.value}
              value={draft.address}
              onInput={(address) => set({ address })}
            />
            <Field
              label={words.metadata}
              readOnly={!mayChange.value}
              hint={wrongLine === undefined ? words.metadataHint : words.metadataWrong(wrongLine)}
              value={draft.metadata}
              rows={3}
              onInput={(metadata) => set({ metadata })}
            />
          </details>
        </div>
        <BotSees bot={bot} id={id} draft={draft} />
      </div>
    </form>
  );
}
