import { useEffect, useRef, useState } from "preact/hooks";
import { Heading } from "../../parts/field.tsx";
import { Empty, ErrorNotice } from "../../parts/notice.tsx";
import { bot } from "../../state/bots.ts";
import { t } from "../../state/preferences.ts";
import { query, setParameters } from "../../state/route.ts";
import { AnswerList } from "./answer-list.tsx";
import { Comparison } from "./comparison.tsx";
import { DocumentPanel } from "./document-panel.tsx";
import { ExplanationPanel } from "./explanation-panel.tsx";
import { MissingDocument } from "./missing-document.tsx";
import { type Explained, titleOf, useAnswers } from "./use-answers.ts";

/** Ask as users ask, and see the lines that answer, and why. */
export function Ask() {
  const id = bot.value?.id ?? "";
  const words = t.value.ask;
  const [question, setQuestion] = useState(query.value.get("q") ?? "");
  const [opened, setOpened] = useState<string>();
  // A document that only stands beside its explanation was not opened to be read.
  const [isRead, setRead] = useState(false);
  const [explained, setExplained] = useState<Explained | undefined>(explainedOfAddress);
  const [isComparing, setComparing] = useState(false);
  const { answers, error } = useAnswers(id, question);
  const field = useRef<HTMLInputElement>(null);
  const asked = useRef<Element | null>(null);
  useEffect(() => {
    // A person who changes the bot by keys stays at the choice.
    if (document.activeElement?.localName !== "select") field.current?.focus();
  }, []);
  const ask = (text: string): void => {
    setQuestion(text);
    setExplained(undefined);
    setOpened(undefined);
    setRead(false);
    setParameters({ q: text, why: undefined });
  };
  const explain = (next: Explained): void => {
    asked.current = document.activeElement;
    setExplained(next);
    setOpened(next.id);
    setRead(false);
  };
  const closeExplanation = (): void => {
    setExplained(undefined);
    if (asked.current instanceof HTMLElement && asked.current.isConnected) asked.current.focus();
  };
  const results = answers?.results ?? [];
  const shown = opened ?? results[0]?.resourceDocId;
  const marks = results.find(({ resourceDocId }) => resourceDocId === shown)?.similarTextParts ?? [];
  return (
    <>
      <Heading>{t.value.views.ask}</Heading>
      <div>
        <input
          ref={field}
          type="search"
          class="ask-field"
          aria-label={words.question}
          placeholder={words.placeholder}
          value={question}
          maxLength={4096}
          autocomplete="off"
          enterkeyhint="search"
          onInput={(event) => ask(event.currentTarget.value)}
        />
      </div>
      <div class="ask-state">
        <p role="status" class="muted">
          {answers !== undefined && (results.length === 0 ? words.none : words.found(results.length, answers.ms))}
          {answers !== undefined && <span class="badge">{words[answers.quality]}</span>}
        </p>
        {results.length > 0 && (
          <button
            type="button"
            class="button-quiet"
            aria-pressed={isComparing}
            onClick={() => setComparing((before) => !before)}
          >
            {words.compare}
          </button>
        )}
      </div>
      <ErrorNotice error={error} />
      {isComparing && answers !== undefined && <Comparison bot={id} question={answers.question} />}
      <div class="ask-columns">
        <div>
          {answers === undefined && error === undefined && <Empty>{words.start}</Empty>}
          <AnswerList
            results={results}
            shown={shown}
            onOpen={(opening) => {
              setOpened(opening);
              setRead(true);
              setExplained(undefined);
            }}
            onExplain={(result) => explain({ id: result.resourceDocId, title: titleOf(result) })}
          />
          {question.trim() !== "" && <MissingDocument bot={id} onChoose={explain} />}
        </div>
        <div class="ask-right">
          {explained !== undefined && question.trim() !== "" && (
            <ExplanationPanel bot={id} question={question} explained={explained} onClose={closeExplanation} />
          )}
          {shown !== undefined && <DocumentPanel bot={id} id={shown} marks={marks} isChosen={isRead} />}
        </div>
      </div>
    </>
  );
}

/** Other views lead here with a question and a document. */
function explainedOfAddress(): Explained | undefined {
  const id = query.value.get("why");
  return id === null ? undefined : { id, title: id };
}
