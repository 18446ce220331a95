import { ADMIN_EVENT_STREAMS_MAX, ADMIN_KEY_EVENT_STREAMS_MAX, type AdminIdentity } from "@loredex/core";
import { HttpError } from "../errors.ts";
import { arraySlices } from "../reply.ts";
import type { AdminAlert, ApiAdmin, LiveBot } from "./port.ts";
import { alertsFor, maySee } from "./visibility.ts";

/** Server-sent events of the console: figures of the bots every two seconds, alerts when they change, and the end of the server. */

const TICK_MS = 2_000;
/** A client connects again after this many milliseconds. */
const RETRY_MS = 2_000;
/** A stream whose key or session has ended ends within this number of ticks. */
const TICKS_BETWEEN_CHECKS = 2;

type Message = readonly string[];

/** The comment that keeps a stream open while there is nothing to tell. */
const HEARTBEAT: Message = [": heartbeat\n\n"];

/** Who follows the events. */
interface Listener {
  readonly identity: AdminIdentity;
  /** Whether its key or its session still opens the admin API. */
  readonly isStillValid: () => Promise<boolean>;
}

/** One console. Of each event only the newest waits, so that a slow reader holds little. */
class EventStream implements AsyncIterator<string> {
  readonly identity: AdminIdentity;
  readonly isStillValid: () => Promise<boolean>;
  /** The alerts that it was told last, as JSON. */
  alerts = "";
  readonly #onEnd: () => void;
  readonly #waiting = new Map<string, Message>();
  #sending: Iterator<string> = [`retry: ${RETRY_MS}\n\n`].values();
  #wake: (() => void) | undefined;
  #isEnding = false;

  constructor({ identity, isStillValid }: Listener, onEnd: () => void) {
    this.identity = identity;
    this.isStillValid = isStillValid;
    this.#onEnd = onEnd;
  }

  put(event: string, message: Message): void {
    if (this.#isEnding) return;
    this.#waiting.set(event, message);
    this.#wake?.();
  }

  /** Ends after what waits. */
  end(): void {
    this.#isEnding = true;
    this.#wake?.();
  }

  /** Ends after the event that is being sent: what waits is for a key that opens nothing any more. */
  endAtOnce(): void {
    this.#waiting.clear();
    this.end();
  }

  async next(): Promise<IteratorResult<string>> {
    for (;;) {
      const piece = this.#sending.next();
      if (!piece.done) return piece;
      const [first] = this.#waiting;
      if (first !== undefined) {
        this.#waiting.delete(first[0]);
        this.#sending = first[1].values();
      } else if (this.#isEnding) {
        return this.return();
      } else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    }
  }

  async return(): Promise<IteratorResult<string>> {
    this.#isEnding = true;
    this.#waiting.clear();
    this.#wake?.();
    this.#onEnd();
    return { done: true, value: undefined };
  }
}

/** All open streams, and the one timer that feeds them. */
export class EventHub {
  readonly #admin: ApiAdmin;
  readonly #lane: () => Promise<void>;
  readonly #onFault: (error: unknown) => void;
  readonly #streams = new Set<EventStream>();
  #timer: NodeJS.Timeout | undefined;
  #ticks = 0;
  #isTicking = false;
  /** Whether a stream was opened during a tick, which may have passed it by. */
  #isWantedAgain = false;
  #isClosed = false;

  /** @param lane yields to requests while long events are written */
  constructor(admin: ApiAdmin, lane: () => Promise<void>, onFault: (error: unknown) => void) {
    this.#admin = admin;
    this.#lane = lane;
    this.#onFault = onFault;
  }

  /** Opens a stream. @throws HttpError `OVERLOADED` if there are too many, `SHUTTING_DOWN` */
  open(listener: Listener): AsyncIterator<string> {
    if (this.#isClosed) throw new HttpError("SHUTTING_DOWN");
    const { name } = listener.identity;
    const ofKey = [...this.#streams].filter(({ identity }) => identity.name === name).length;
    if (this.#streams.size >= ADMIN_EVENT_STREAMS_MAX || ofKey >= ADMIN_KEY_EVENT_STREAMS_MAX) {
      throw new HttpError("OVERLOADED", "The service sends events to as many consoles as it may. Please close one.");
    }
    const stream = new EventStream(listener, () => this.#streams.delete(stream));
    this.#streams.add(stream);
    this.#schedule(0);
    return stream;
  }

  /** Tells all consoles that the server ends, and ends their streams. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    for (const stream of this.#streams) {
      stream.put("restart", eventOf("restart", "{}"));
      stream.end();
    }
  }

  /** Lets the next tick begin after some time; also sooner than it was to. */
  #schedule(ms: number): void {
    if (this.#isClosed) return;
    if (this.#isTicking) {
      this.#isWantedAgain = true;
      return;
    }
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#isTicking = true;
      this.#isWantedAgain = false;
      void this.#tick().finally(() => {
        this.#isTicking = false;
        if (this.#streams.size > 0) this.#schedule(this.#isWantedAgain ? 0 : TICK_MS);
      });
    }, ms).unref();
  }

  async #tick(): Promise<void> {
    this.#ticks++;
    if (this.#ticks % TICKS_BETWEEN_CHECKS === 0) await this.#endInvalid();
    try {
      await this.#tellFigures();
    } catch (error) {
      // The figures come again with the next tick, or with the one after it.
      this.#onFault(error);
      for (const stream of this.#streams) stream.put("heartbeat", HEARTBEAT);
    }
  }

  async #endInvalid(): Promise<void> {
    for (const stream of this.#streams) {
      // While it cannot be known, as without a database, a stream stays.
      if (!(await stream.isStillValid().catch(() => true))) stream.endAtOnce();
    }
  }

  async #tellFigures(): Promise<void> {
    const bots = await this.#admin.liveBots();
    const { alerts } = await this.#admin.status();
    const at = new Date().toISOString();
    let ofAll: Message | undefined;
    for (const stream of this.#streams) {
      const { identity } = stream;
      if (identity.bots === undefined) {
        ofAll ??= await this.#fleetEvent(at, bots);
        stream.put("fleet", ofAll);
      } else {
        const seen = bots.filter(({ id }) => maySee(identity, id));
        stream.put("fleet", await this.#fleetEvent(at, seen));
      }
      this.#tellAlerts(stream, alerts);
    }
  }

  #tellAlerts(stream: EventStream, alerts: readonly AdminAlert[]): void {
    const text = JSON.stringify(alertsFor(stream.identity, alerts));
    if (text === stream.alerts) return;
    stream.alerts = text;
    stream.put("alerts", eventOf("alerts", text));
  }

  /** There may be thousands of bots: their figures become text in pieces. */
  async #fleetEvent(at: string, rows: readonly LiveBot[]): Promise<Message> {
    const pieces: string[] = [];
    const head = `event: fleet\ndata: ${JSON.stringify({ at }).slice(0, -1)},"bots":[`;
    for (const piece of arraySlices({ head, rows, tail: "]}\n\n" })) {
      pieces.push(piece);
      await this.#lane();
    }
    return pieces;
  }
}

function eventOf(name: string, data: string): Message {
  return [`event: ${name}\ndata: ${data}\n\n`];
}
