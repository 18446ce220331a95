import type { components } from "./api-types.ts";
import { LoredexError } from "./error.ts";

/** The events of the admin API: server-sent events. */

/** A bot's traffic of the last minute. Times of its answers are in milliseconds. */
export interface LiveBot {
  readonly id: string;
  readonly name: string;
  readonly questions: number;
  readonly writes: number;
  readonly p50Ms?: number;
  readonly p95Ms?: number;
  readonly p99Ms?: number;
  /** Figures that are known without opening the bot. */
  readonly figures?: Readonly<Record<string, unknown>>;
}

/**
 * An event of the server: `fleet` every two seconds, with all bots that the key may see; `alerts` at the begin and after a change; `restart` when the server
 * ends.
 */
export type AdminEvent =
  | { readonly event: "fleet"; readonly data: { readonly at: string; readonly bots: readonly LiveBot[] } }
  | { readonly event: "alerts"; readonly data: components["schemas"]["AdminStatus"]["alerts"] }
  | { readonly event: "restart"; readonly data: Readonly<Record<string, unknown>> };

const NAMES: ReadonlySet<string> = new Set<AdminEvent["event"]>(["fleet", "alerts", "restart"]);

/**
 * Reads the events of a stream, whose end is theirs. Leaving the loop cancels the stream.
 * @param charactersMax most characters of one event
 * @throws {LoredexError} `isTooLong`, and if the stream breaks off
 * @throws the signal's reason once the signal is aborted
 */
export async function* eventsOf(
  stream: ReadableStream<Uint8Array>,
  charactersMax: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<AdminEvent, void, undefined> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let text = "";
  try {
    for (let read = await next(reader, signal); !read.done; read = await next(reader, signal)) {
      const piece = decoder.decode(read.value, { stream: true });
      // The end of an event may be cut in two.
      const isWhole = (text.slice(-1) + piece).includes("\n\n");
      text += piece;
      const blocks = isWhole ? text.split("\n\n") : [text];
      text = blocks.pop() ?? "";
      if (text.length > charactersMax) {
        const message = `An event is longer than ${charactersMax} characters. Set answerBytesMax.`;
        throw new LoredexError({ message, isTooLong: true, isFinal: true });
      }
      for (const block of blocks) {
        const event = eventOf(block);
        if (event !== undefined) yield event;
      }
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

async function next(reader: ReadableStreamDefaultReader<Uint8Array>, signal: AbortSignal | undefined) {
  try {
    return await reader.read();
  } catch (cause) {
    signal?.throwIfAborted();
    throw new LoredexError({ message: "The events broke off.", cause });
  }
}

/** An event that this client knows. Others, comments and the time for a new attempt are left out. */
function eventOf(block: string): AdminEvent | undefined {
  const fields = new Map(block.split("\n").map((line) => split(line)));
  const event = fields.get("event") ?? "";
  if (!NAMES.has(event)) return undefined;
  try {
    return { event, data: JSON.parse(fields.get("data") ?? "") } as AdminEvent;
  } catch (cause) {
    throw new LoredexError({ message: "The event is not as Loredex gives it.", cause });
  }
}

function split(line: string): [string, string] {
  const at = line.indexOf(": ");
  return at === -1 ? [line, ""] : [line.slice(0, at), line.slice(at + 2)];
}
