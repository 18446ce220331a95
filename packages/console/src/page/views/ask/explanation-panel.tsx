import { useEffect, useRef } from "preact/hooks";
import { call, ofBot } from "../../api/client.ts";
import { scoreParts } from "../../api/explanation.ts";
import type { ExplainedPassage, Explanation } from "../../api/types.ts";
import { type Segment, StackedBar } from "../../parts/bar.tsx";
import { ErrorNotice } from "../../parts/notice.tsx";
import { decimal, percent, score } from "../../state/formats.ts";
import { t } from "../../state/preferences.ts";
import { useLoaded } from "../../state/use-loaded.ts";
import { Terms, Tokens } from "./explanation-tables.tsx";
import type { Explained } from "./use-answers.ts";

const PASSAGES_SHOWN = 6;

/** Why a document has its rank, or is not among the answers. */
export function ExplanationPanel(props: { bot: string; question: string; explained: Explained; onClose: () => void }) {
  const { bot, question, explained, onClose } = props;
  const words = t.value.explanation;
  const region = useRef<HTMLElement>(null);
  const { data, error } = useLoaded(
    async (signal) =>
      (
        await call<Explanation>("POST", ofBot(bot, "explain"), {
          body: { query: question, id: explained.id },
          isRead: true,
          signal,
        })
      ).data,
    [bot, question, explained.id],
  );
  useEffect(() => region.current?.focus({ preventScroll: true }), [explained.id]);
  // It moves there when another document is explained, and once its reasons are there: the page was too short before.
  const isLoaded = data !== undefined;
  useEffect(() => {
    const top = region.current?.getBoundingClientRect().top ?? 0;
    if (top < 0 || top > innerHeight / 2) region.current?.scrollIntoView({ block: "start" });
  }, [explained.id, isLoaded]);
  const title = data?.document?.title ?? explained.title;
  return (
    <section
      class="card explanation"
      aria-label={words.region}
      ref={region}
      tabIndex={-1}
      onKeyDown={(event) => event.key === "Escape" && onClose()}
    >
      <header class="explanation-head">
        <h2>{words.title(title)}</h2>
        <button type="button" class="button-quiet" onClick={onClose}>
          {t.value.shell.close}
        </button>
      </header>
      <ErrorNotice error={error} />
      {data !== undefined && <Reasons explanation={data} />}
    </section>
  );
}

function Reasons({ explanation }: { explanation: Explanation }) {
  const words = t.value.explanation;
  const { question, passages, outcome, rank } = explanation;
  const [best] = passages;
  const titleFactor = best?.rerank?.titleFactor;
  const { smallTalk = 0, scorePower = 1 } = question.dense ?? {};
  // A text that equals the question and a pinned answer keep 1.
  const isLowered = smallTalk > 0 && explanation.score > 0 && explanation.score < 1;
  return (
    <>
      <p class="verdict">
        {rank !== undefined && <strong class="rank">{words.rank(rank)}</strong>}
        <span>{words.outcomes[outcome] ?? outcome}</span>
        {explanation.score > 0 && <span class="muted">{words.scores(score(explanation.score))}</span>}
      </p>
      <ul class="plain muted">
        {explanation.scoreNeeded !== undefined && outcome !== "returned" && (
          <li>{words.needed(score(explanation.scoreNeeded))}</li>
        )}
        {explanation.equals !== undefined && <li>{words.equals}</li>}
        {explanation.pinnedBy !== undefined && <li>{words.pinned(explanation.pinnedBy)}</li>}
        {explanation.droppedBy.length > 0 && (
          <li>{words.droppedBy(explanation.droppedBy.map(({ field }) => field).join(", "))}</li>
        )}
        {titleFactor !== undefined && <li>{words.titleFactor(decimal(titleFactor, 2))}</li>}
        {isLowered && <li>{words.smallTalk(percent(smallTalk), decimal(scorePower, 1))}</li>}
        {explanation.document?.newerWaits === true && <li>{words.newerWaits}</li>}
        {question.ignored !== undefined && <li>{words.ignored(question.ignored.join(", "))}</li>}
      </ul>
      {best !== undefined && (
        <>
          <Legend passage={best} question={question} />
          <h3>{words.passages}</h3>
          <div class="passages">
            {passages.slice(0, PASSAGES_SHOWN).map((passage) => (
              <PassageBar key={nameOf(passage)} passage={passage} question={question} />
            ))}
          </div>
          <Terms question={question} passage={best} />
          <Tokens question={question} passage={best} />
        </>
      )}
    </>
  );
}

function segmentsOf(passage: ExplainedPassage, question: Explanation["question"]): readonly Segment[] {
  const { words, meaning, reranking } = scoreParts(passage, question);
  const all: readonly Segment[] = [
    { kind: "words", value: words },
    { kind: "meaning", value: meaning },
    { kind: "reranking", value: reranking },
  ];
  return passage.rerank === undefined ? all.slice(0, 2) : all;
}

/** The score of the best passage, as the sum of its parts. */
function Legend({ passage, question }: { passage: ExplainedPassage; question: Explanation["question"] }) {
  const words = t.value.explanation;
  const segments = segmentsOf(passage, question);
  return (
    <div class="legend">
      <p class="legend-title">
        {words.best} <strong>{score(scoreParts(passage, question).score)}</strong>
      </p>
      <StackedBar segments={segments} />
      <dl class="legend-parts">
        {segments.map(({ kind, value }) => (
          <div key={kind} class={`legend-part legend-${kind}`}>
            <dt>{words[kind]}</dt>
            <dd>{score(value)}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function PassageBar({ passage, question }: { passage: ExplainedPassage; question: Explanation["question"] }) {
  const { score: total } = scoreParts(passage, question);
  return (
    <div class="passage-row">
      <span class="passage-name">{nameOf(passage)}</span>
      <StackedBar segments={segmentsOf(passage, question)} />
      <span class="score-figure">{score(total)}</span>
    </div>
  );
}

function nameOf(passage: ExplainedPassage): string {
  const { explanation, ask } = t.value;
  return passage.kind === "variant"
    ? `${explanation.variant}: ${passage.text}`
    : ask.lines(passage.start, passage.stop);
}
