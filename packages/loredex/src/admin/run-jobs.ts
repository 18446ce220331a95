import { type Engine, evaluate, readVocabulary, ValidationError, type Vocabulary } from "@loredex/core";
import type { AdminJob } from "@loredex/http";
import type { Jobs } from "./jobs.ts";

/**
 * Begins a run of a bot's golden questions, which is kept with the bot. With a vocabulary it is a trial: the bot does not get the vocabulary.
 * The report of the job is the id of the run.
 * @throws ValidationError for a wrong vocabulary, or a bot without golden questions
 */
export async function beginRun(
  { engine, jobs }: { readonly engine: Engine; readonly jobs: Jobs },
  id: string,
  given: { readonly vocabulary?: unknown },
): Promise<AdminJob> {
  const tried: { vocabulary?: Vocabulary } =
    given.vocabulary === undefined ? {} : { vocabulary: await readVocabulary(given.vocabulary, "vocabulary.") };
  const insights = await engine.insights(id);
  const golden = await insights.golden();
  if (golden.length === 0) {
    const message = "the bot has no golden questions: PUT /golden gives it some";
    throw new ValidationError([{ field: "golden", type: "minItems", message }]);
  }
  return jobs.begin(id, {
    kind: "run",
    work: async (told, signal) => {
      const bot = await engine.bot(id);
      const evaluation = await evaluate(bot, golden, {
        ...tried,
        signal,
        onProgress: (done, total) => told({ done, total }),
      });
      const run = await insights.addRun({
        ...evaluation,
        quality: bot.info().quality,
        ...(given.vocabulary === undefined ? {} : { vocabulary: true }),
      });
      return run.id;
    },
  });
}
