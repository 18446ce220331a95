import { requireArguments } from "@loredex/core";
import { underSignals } from "./abort.ts";
import { embedderError } from "./model-server.ts";
import { unreachable } from "./server-problem.ts";
import { OPENAI_PARAMETERS, type OpenAiOptions, settingsOf } from "./settings.ts";

/** A slower server is not reported as missing: it may be loading its model. */
const CHECK_MS_MAX = 3_000;

/**
 * Checks if the embedder can be opened: with `dimensions` it always can, else the model server must run. Any answer is enough, and no text is sent. An offer's
 * `check`.
 * @throws ValidationError, RangeError for invalid options; EmbedderError `EMBEDDER_UNAVAILABLE` if nothing answers at its address
 */
export async function checkModelServer(options: OpenAiOptions, signal?: AbortSignal): Promise<void> {
  requireArguments("checkModelServer", { options, signal }, OPENAI_PARAMETERS);
  const { url, dimensions } = settingsOf(options);
  if (dimensions !== undefined) return;
  const late = AbortSignal.timeout(CHECK_MS_MAX);
  try {
    const response = await underSignals([signal, late], (either) => fetch(url, { signal: either, redirect: "manual" }));
    await response.body?.cancel();
  } catch (error) {
    signal?.throwIfAborted();
    if (!late.aborted) throw embedderError("EMBEDDER_UNAVAILABLE", unreachable(url, error));
  }
}
