import { useEffect, useState } from "preact/hooks";
import { call, get, ofBot } from "../../api/client.ts";
import { comparedRuns, runIdOf } from "../../api/runs.ts";
import type { Job, Run, Vocabulary } from "../../api/types.ts";
import { ChangeButton } from "../../parts/change-button.tsx";
import { Field, Progress } from "../../parts/field.tsx";
import { ErrorNotice } from "../../parts/notice.tsx";
import { t } from "../../state/preferences.ts";
import { useAttempt } from "../../state/use-attempt.ts";
import { follow } from "../../state/use-job.ts";
import { useLoaded } from "../../state/use-loaded.ts";
import { RunChanges } from "../measure/run-changes.tsx";

const ARROW = "=>";

interface Texts {
  readonly synonyms: string;
  readonly pins: string;
  readonly ignored: string;
}

interface Trial {
  readonly before: Run;
  readonly after: Run;
}

/** The vocabulary of a bot as three lists of lines, and what a change does to its golden questions. */
export function VocabularyEditor({ bot }: { bot: string }) {
  const words = t.value.vocabulary;
  const { data, error, reload } = useLoaded((signal) => get<Vocabulary>(ofBot(bot, "vocabulary"), signal), [bot]);
  const [texts, setTexts] = useState<Texts>();
  const [isSaved, setSaved] = useState(false);
  const { problem, isBusy, attempt } = useAttempt();
  const [trial, setTrial] = useState<Trial>();
  const [progress, setProgress] = useState<Job>();
  useEffect(() => setTexts((before) => before ?? (data && textsOf(data))), [data]);
  if (texts === undefined || data === undefined) return <ErrorNotice error={error} />;
  const set = (changed: Partial<Texts>): void => {
    setTexts({ ...texts, ...changed });
    setSaved(false);
    setTrial(undefined);
  };
  const save = (event: Event): void => {
    event.preventDefault();
    void attempt(async () => {
      await call("PUT", ofBot(bot, "vocabulary"), { body: vocabularyOf(texts) });
      setSaved(true);
      // A trial compares with what is in force now.
      reload();
    });
  };
  const compare = async (): Promise<void> => {
    await attempt(async () => setTrial(await tried(bot, data, vocabularyOf(texts), setProgress)));
    setProgress(undefined);
  };
  return (
    <form class="form vocabulary" onSubmit={save}>
      <div class="vocabulary-columns">
        <Field
          label={words.synonyms}
          hint={words.synonymsHint}
          value={texts.synonyms}
          rows={10}
          onInput={(synonyms) => set({ synonyms })}
        />
        <Field
          label={words.pins}
          hint={words.pinsHint}
          value={texts.pins}
          rows={10}
          onInput={(pins) => set({ pins })}
        />
        <Field
          label={words.ignored}
          hint={words.ignoredHint}
          value={texts.ignored}
          rows={10}
          onInput={(ignored) => set({ ignored })}
        />
      </div>
      <ErrorNotice error={problem} />
      <div class="actions">
        <ChangeButton type="submit" class="button button-strong">
          {words.save}
        </ChangeButton>
        <ChangeButton disabled={isBusy} onClick={compare}>
          {words.try}
        </ChangeButton>
        {progress !== undefined && (
          <Progress label={t.value.measure.progress} done={progress.done} total={progress.total} />
        )}
        <span role="status">{isSaved && words.saved}</span>
      </div>
      {trial !== undefined && (
        <section class="card" aria-label={words.tried}>
          <h2>{words.tried}</h2>
          <RunChanges
            before={trial.before}
            after={trial.after}
            names={[words.without, words.with]}
            {...comparedRuns(trial.before, trial.after)}
          />
        </section>
      )}
    </form>
  );
}

/** Runs the golden questions with the stored vocabulary, and with the one on the screen. Nothing is saved. */
async function tried(
  bot: string,
  stored: Vocabulary,
  vocabulary: Vocabulary,
  onProgress: (job: Job) => void,
): Promise<Trial> {
  return { before: await runWith(bot, stored, onProgress), after: await runWith(bot, vocabulary, onProgress) };
}

async function runWith(bot: string, vocabulary: Vocabulary, onProgress: (job: Job) => void): Promise<Run> {
  const { data } = await call<Job>("POST", ofBot(bot, "runs"), { body: { vocabulary } });
  const job = await follow(bot, data.id, new AbortController().signal, onProgress);
  const id = runIdOf(job);
  if (id === undefined) throw new Error(job.message ?? t.value.uploads.lost);
  return get<Run>(ofBot(bot, "runs", id));
}

function textsOf({ synonyms, pins, ignored }: Vocabulary): Texts {
  return {
    synonyms: synonyms.join("\n"),
    pins: pins.map(({ question, document }) => `${question} ${ARROW} ${document}`).join("\n"),
    ignored: ignored.join("\n"),
  };
}

function vocabularyOf({ synonyms, pins, ignored }: Texts): Vocabulary {
  return { synonyms: linesOf(synonyms), pins: linesOf(pins).map(pinOf), ignored: linesOf(ignored) };
}

function pinOf(line: string): Vocabulary["pins"][number] {
  const at = line.lastIndexOf(ARROW);
  if (at < 1) throw new Error(t.value.vocabulary.pinWrong(line));
  return { question: line.slice(0, at).trim(), document: line.slice(at + ARROW.length).trim() };
}

function linesOf(text: string): string[] {
  return text.split("\n").flatMap((line) => line.trim() || []);
}
