import { useEffect, useState } from "preact/hooks";
import { call, get, ofBot } from "../../api/client.ts";
import type { ArticlePreview, BotUsage, Draft, SearchResult } from "../../api/types.ts";
import { ScoreBar } from "../../parts/bar.tsx";
import { ErrorNotice } from "../../parts/notice.tsx";
import { number } from "../../state/formats.ts";
import { t } from "../../state/preferences.ts";
import { useLoaded } from "../../state/use-loaded.ts";
import { useSettled } from "../../state/use-settled.ts";
import { titleOf } from "../ask/use-answers.ts";

const PREVIEW_AFTER_MS = 350;
/**
 * Documents of this score may say the same: that of the same text, headings and lists and all, was .70 and more, that of other documents .22 and less. For a draft that is
 * small talk, such as a greeting, scores are lowered: only a document with an equal text reaches it, since such a text keeps 1.
 */
const SIMILAR_FROM = 0.6;
const QUERY_CHARACTERS_MAX = 4000;

interface Seen {
  readonly preview: ArticlePreview;
  readonly usage: BotUsage;
  readonly similar: readonly SearchResult[];
}

/** The passages of a draft as the bot would find them, what it would cost, and what is much like it. */
export function BotSees({ bot, id, draft }: { bot: string; id: string | undefined; draft: Draft }) {
  const words = t.value.editor;
  // Only title and body are looked at.
  const settled = useSettled(draft, PREVIEW_AFTER_MS, `${draft.title}\n\n${draft.body}`);
  const { data, error } = useLoaded(
    (signal) => (isReady(settled) ? see(bot, id, settled, signal) : undefined),
    [bot, id, settled],
  );
  const shown = useLast(data, isReady(draft));
  return (
    <section class="bot-sees" aria-label={words.sees}>
      <h2>{words.sees}</h2>
      {shown === undefined && error === undefined && <p class="muted">{words.seesHint}</p>}
      {error !== undefined && isReady(draft) && <ErrorNotice error={error} />}
      {shown !== undefined && <Costs {...shown} />}
      {shown !== undefined && shown.similar.length > 0 && (
        <div class="similar">
          <h3>{words.similar}</h3>
          {shown.similar.map((result) => (
            <p class="similar-row" key={result.resourceDocId}>
              <span>{titleOf(result)}</span>
              <ScoreBar value={result.bestMatchScore} />
            </p>
          ))}
        </div>
      )}
      {shown?.preview.passages.map(({ start, stop, text }) => (
        <div class="seen-passage" key={start}>
          <span class="part-lines">{words.passage(start, stop)}</span>
          <p class="lines-kept">{text}</p>
        </div>
      ))}
    </section>
  );
}

function Costs({ preview, usage }: Seen) {
  const words = t.value.editor;
  const { characterLeft, charge, waitSeconds } = preview;
  const { charactersPerMinute, used } = usage.rate;
  const left = Math.max(0, charactersPerMinute - used);
  return (
    <ul class="plain costs">
      <li>{words.charged(number(charge))}</li>
      <li class={characterLeft < 0 ? "bad" : undefined}>
        {characterLeft < 0 ? words.over(number(-characterLeft)) : words.left(number(characterLeft))}
      </li>
      <li>{words.rate(number(left), number(charactersPerMinute))}</li>
      {waitSeconds === null && <li class="bad">{words.never}</li>}
      {waitSeconds !== null && waitSeconds > 0 && <li class="bad">{words.wait(waitSeconds)}</li>}
    </ul>
  );
}

function isReady({ title, body }: Draft): boolean {
  return title.trim() !== "" && body !== "";
}

async function see(bot: string, id: string | undefined, draft: Draft, signal: AbortSignal): Promise<Seen> {
  const { title, body } = draft;
  const asRead = { isRead: true, signal } as const;
  const [{ data: preview }, usage] = await Promise.all([
    call<ArticlePreview>("POST", ofBot(bot, "articles", "preview"), {
      ...asRead,
      body: { title, body, ...(id !== undefined && { id }) },
    }),
    get<BotUsage>(ofBot(bot, "usage"), signal),
  ]);
  // The longest passage says most of what the article is about.
  const [longest] = [...preview.passages].sort((a, b) => b.text.length - a.text.length);
  const query = (longest?.text ?? body).slice(0, QUERY_CHARACTERS_MAX);
  const options = { topK: 4, minScore: SIMILAR_FROM };
  const { data } = await call<SearchResult[]>("POST", `${ofBot(bot, "search")}?quality=fast`, {
    ...asRead,
    body: { query, options },
  });
  return { preview, usage, similar: data.filter(({ resourceDocId }) => resourceDocId !== id).slice(0, 3) };
}

/** Keeps the last value while the next one is on its way. */
function useLast<Value>(value: Value | undefined, isKept: boolean): Value | undefined {
  const [last, setLast] = useState(value);
  useEffect(() => {
    if (value !== undefined || !isKept) setLast(value);
  }, [value, isKept]);
  return last;
}
