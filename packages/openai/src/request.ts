import { VECTOR_DIMENSIONS_MAX } from "@loredex/core";
import { underSignals } from "./abort.ts";
import { vectorsOfAnswer } from "./answer.ts";
import { oneLine, problemOfStatus, ServerProblem, unreachable } from "./server-problem.ts";
import type { Settings } from "./settings.ts";

/** Parameters of one request. */
export interface Asked {
  /** At least one. */
  readonly texts: readonly string[];
  readonly inputType: string | undefined;
  /** Sent as `dimensions`, if given. */
  readonly dimensions: number | undefined;
  /** Timeout in milliseconds. */
  readonly timeoutMs: number;
}

/** More bytes than any number takes in JSON, with its comma. */
const BYTES_A_NUMBER = 32;
const ANSWER_BYTES_MIN = 65_536;

/**
 * Makes one request, and returns the server's vectors: one for each text, all of one length.
 * @throws ServerProblem, or the reason of the abort
 */
export async function requestVectors(settings: Settings, asked: Asked, signal: AbortSignal): Promise<Float64Array[]> {
  const timeout = AbortSignal.timeout(asked.timeoutMs);
  try {
    return await underSignals([signal, timeout], (either) => exchange(settings, asked, either));
  } catch (error) {
    if (signal.aborted) throw error;
    if (timeout.aborted && error === timeout.reason) {
      throw new ServerProblem("away", `The model server gave no answer within ${asked.timeoutMs} ms.`);
    }
    throw error;
  }
}

async function exchange(settings: Settings, asked: Asked, signal: AbortSignal): Promise<Float64Array[]> {
  const { url, model, apiKey } = settings;
  const { texts, inputType, dimensions } = asked;
  const body = JSON.stringify({ model, input: texts, encoding_format: "float", dimensions, input_type: inputType });
  const authorization = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
  const headers = { "content-type": "application/json", accept: "application/json", ...authorization };
  let response: Response;
  let answer: string;
  try {
    // Another address than the operator's gets neither texts nor key.
    response = await fetch(url, { method: "POST", headers, body, signal, redirect: "manual" });
    answer = await bodyOf(response, ANSWER_BYTES_MIN + texts.length * VECTOR_DIMENSIONS_MAX * BYTES_A_NUMBER);
  } catch (error) {
    if (signal.aborted || error instanceof ServerProblem) throw error;
    throw unreachable(url, error);
  }
  if (response.status === 200) return vectorsOfAnswer(answer, texts.length);
  throw problemOfStatus(response.status, saidIn(answer, apiKey), retryAfterMsOf(response));
}

const SAID_CHARACTERS_MAX = 200;

/** Returns the server's message on an error: one line, with the key removed if it is quoted. */
function saidIn(answer: string, apiKey: string | undefined): string {
  const message = messageIn(answer);
  const harmless = apiKey === undefined || apiKey === "" ? message : message.replaceAll(apiKey, "[the key]");
  return oneLine(harmless).slice(0, SAID_CHARACTERS_MAX);
}

/** Reads `{ error: { message } }`, or a similar form. A page of HTML says nothing worth repeating. */
function messageIn(answer: string): string {
  let parsed: unknown;
  try {
    parsed = JSON.parse(answer);
  } catch {
    return /^\s*</.test(answer) ? "" : answer;
  }
  for (let depth = 0; depth < 3 && typeof parsed === "object" && parsed !== null; depth++) {
    const { error, message, detail } = Object(parsed);
    parsed = error ?? message ?? detail;
  }
  return typeof parsed === "string" ? parsed : "";
}

/** Parses `Retry-After`, seconds or a date, into milliseconds from now; undefined if there is none. */
function retryAfterMsOf(response: Response): number | undefined {
  const given = response.headers.get("retry-after")?.trim() ?? "";
  if (/^\d+(\.\d+)?$/.test(given)) return Number(given) * 1_000;
  const date = Date.parse(given);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

/**
 * Reads the body of an answer as text.
 * @throws ServerProblem `failed` for more than `bytesMax` bytes: no expected answer is that long
 */
async function bodyOf(response: Response, bytesMax: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > bytesMax)
      throw new ServerProblem("failed", `The model server's answer is longer than ${bytesMax} bytes.`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
