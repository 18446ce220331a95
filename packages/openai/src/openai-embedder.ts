import {
  closedError,
  type Embedder,
  type EmbedderCost,
  EmbedderError,
  requireArguments,
  Semaphore,
} from "@loredex/core";
import { underSignals } from "./abort.ts";
import { embedderError, ModelServer } from "./model-server.ts";
import { QuestionPause } from "./question-pause.ts";
import { ServerProblem } from "./server-problem.ts";
import { idOf, OPENAI_PARAMETERS, type OpenAiOptions, type Settings, settingsOf, versionOf } from "./settings.ts";

/** Maximum questions at the server at the same time. */
const QUESTIONS_MAX = 64;

/**
 * Opens an embedder that uses an OpenAI-compatible model server. With `dimensions` the server need not run yet; without, it is asked once for a vector, to know
 * its length. `signal` aborts the opening.
 * @throws ValidationError, RangeError for invalid options; EmbedderError `EMBEDDER_UNAVAILABLE` if the server must be asked and gives no vector
 */
export async function openOpenAiEmbedder(options: OpenAiOptions, signal?: AbortSignal): Promise<Embedder> {
  requireArguments("openOpenAiEmbedder", { options, signal }, OPENAI_PARAMETERS);
  const settings = settingsOf(options);
  const server = new ModelServer(settings);
  try {
    const dimensions = await underSignals([signal], (either) => server.dimensions(either));
    return new OpenAiEmbedder(settings, server, dimensions);
  } catch (error) {
    throw told(error);
  }
}

class OpenAiEmbedder implements Embedder {
  readonly id: string;
  readonly version: string;
  readonly dimensions: number;
  readonly weight: number;
  readonly cost: EmbedderCost;
  readonly #textsPerRequest: number;
  readonly #server: ModelServer;
  readonly #requests: Semaphore;
  readonly #pause = new QuestionPause(() => performance.now());
  readonly #closed = new AbortController();
  #questions = 0;

  constructor(settings: Settings, server: ModelServer, dimensions: number) {
    this.id = idOf(settings);
    this.version = versionOf(settings, dimensions);
    this.dimensions = dimensions;
    this.weight = settings.weight;
    this.cost = {
      textsPerCall: settings.textsPerRequest * settings.concurrency,
      questionMsMax: settings.questionMsMax,
    };
    this.#textsPerRequest = settings.textsPerRequest;
    this.#server = server;
    this.#requests = new Semaphore(settings.concurrency);
  }

  async embedPassages(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]> {
    const batches: string[][] = [];
    for (let at = 0; at < texts.length; at += this.#textsPerRequest) {
      batches.push(texts.slice(at, at + this.#textsPerRequest));
    }
    // The batches end together: when one fails, the remaining ones never begin.
    const failed = new AbortController();
    const embedded = (batch: readonly string[]): Promise<Float32Array[]> =>
      this.#requests.run(() =>
        underSignals([this.#closed.signal, signal, failed.signal], (each) => this.#server.passages(batch, each)),
      );
    try {
      const vectors = await underSignals([this.#closed.signal, signal], () => Promise.all(batches.map(embedded)));
      if (batches.length > 0) this.#pause.onAnswer();
      return vectors.flat();
    } catch (error) {
      failed.abort(error);
      throw told(error);
    }
  }

  async embedQuery(text: string, signal?: AbortSignal): Promise<Float32Array> {
    if (this.#questions >= QUESTIONS_MAX) {
      throw new EmbedderError("EMBEDDER_BUSY", `${QUESTIONS_MAX} questions wait for the model server already.`);
    }
    this.#questions += 1;
    try {
      const vector = await underSignals([this.#closed.signal, signal], async (each) => {
        this.#pause.refuseIfPaused();
        return await this.#server.question(text, each);
      });
      this.#pause.onAnswer();
      return vector;
    } catch (error) {
      if (isSilence(error)) this.#pause.onSilence();
      throw told(error);
    } finally {
      this.#questions -= 1;
    }
  }

  async close(): Promise<void> {
    this.#closed.abort(closedError());
  }
}

/** True if the server did not answer: the question's time was over, or the connection brought nothing. */
function isSilence(error: unknown): boolean {
  if (error instanceof ServerProblem) return error.kind === "away";
  return error instanceof Error && error.name === "TimeoutError";
}

/** Converts an error for callers: an `EmbedderError`, or the reason of their own abort. */
function told(error: unknown): unknown {
  return error instanceof ServerProblem ? embedderError("EMBEDDER_UNAVAILABLE", error) : error;
}
