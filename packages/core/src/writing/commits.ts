import type { Growth } from "../accounting/bot-memory.ts";
import type { BotRoom } from "../accounting/bot-room.ts";
import { ValidationError } from "../domain/errors.ts";
import { RECORD_BYTES_MAX } from "../domain/limits.ts";
import type { BotRecord } from "../domain/records.ts";
import { apply, type IndexChange } from "../state/apply.ts";
import type { PendingWrite } from "../state/pending-writes.ts";
import { encodeRecordUpTo } from "../state/record-codec.ts";
import type { BotState } from "../state/state.ts";
import { growthOf } from "./growth.ts";

/** What records are committed with. */
export interface CommitParts {
  readonly state: BotState;
  /** See {@link Store.append}: `onFailed` is called at once, before anything else is decided. */
  readonly append: (payload: Uint8Array, onFailed: () => void, frees: boolean) => Promise<number>;
  /** Called right after a durable record has become state, before its writer has the answer. */
  readonly onApplied: (change: IndexChange) => void;
  readonly room: BotRoom;
  /** Whether the process has memory for it; without one, it always has. */
  readonly memory?: WriteMemory | undefined;
  /** A write was refused for want of room: what was deleted since the last snapshot may make some. */
  readonly onFull: () => void;
  /** Resolves when what is stored has caught up with what was written; undefined where it has. Imports wait for it. */
  readonly caughtUp?: () => Promise<void> | undefined;
  /** The longest record that `append` takes, in bytes. */
  readonly recordBytesMax?: number;
}

/** What writes ask for memory. */
export interface WriteMemory {
  /** Asks for room for a write; one that adds nothing always has it. @throws LoredexError `OUT_OF_MEMORY` */
  readonly require: (growth: Growth) => void;
  /** Counts a write that was accepted. Returns what takes it off again. */
  readonly take: (growth: Growth) => () => void;
}

/** Whether records of a kind may make a bot larger. */
const TAKES_ROOM: Readonly<Record<BotRecord["kind"], boolean>> = {
  articlePut: true,
  articleDelete: false,
  documentPut: true,
  documentBrought: true,
  documentOrigin: true,
  documentStatus: false,
  documentDelete: false,
  sourceArgument: true,
  sourceMove: false,
  sourceRemove: false,
  agentPut: true,
  agentDelete: false,
  channelPut: true,
  channelDelete: false,
  vectors: true,
};

/** What one write in flight has taken. */
export interface Reservation {
  readonly version: PendingWrite;
  /** Called once, when the write is durable and applied or when it has failed. */
  readonly giveBack?: (hasFailed: boolean) => void;
}

/** How one record is committed. */
interface CommitOptions {
  /** Takes what the write needs until it is durable or has failed. Called when nothing can refuse it any more. */
  readonly reserve?: () => Reservation;
  /** Whether it brings an article or a document that is not there yet. */
  readonly isNew?: boolean;
  /** Its binary part. */
  readonly binary?: Uint8Array;
  /** All of its bytes, if they have been made already. */
  readonly encoded?: Uint8Array | undefined;
}

/** The last steps of every write: room → reserve → append → apply. */
export class Commits {
  readonly #parts: CommitParts;
  /** Appends that are not durable yet. */
  readonly #inFlight = new Set<Promise<unknown>>();
  /** What may wait for something else before it is appended. */
  readonly #accepted = new Set<Promise<unknown>>();

  constructor(parts: CommitParts) {
    this.#parts = parts;
  }

  /**
   * Appends a record and, once it is durable, applies it. Resolves with the characters used right after it.
   * @throws ValidationError for a record that is too long, LoredexError `BOT_FULL`; nothing has been reserved then
   */
  commit(record: BotRecord, { reserve, isNew = false, binary, encoded }: CommitOptions = {}): Promise<number> {
    const { state, append, onApplied, memory } = this.#parts;
    const payload = encoded ?? this.#encoded(record, binary);
    const growth = memory === undefined ? undefined : growthOf(record, payload.length, state);
    this.#requireRoom(record, payload.length, growth, isNew);
    const reserved = reserve?.();
    const leaveRoom = this.#parts.room.take(payload.length);
    // Its bytes are held until they are written.
    const leaveMemory =
      growth === undefined ? undefined : memory?.take({ ...growth, heapBytes: growth.heapBytes + payload.length });
    let isSettled = false;
    const settle = (hasFailed: boolean): void => {
      if (isSettled) return;
      isSettled = true;
      leaveRoom();
      leaveMemory?.();
      reserved?.version.settle();
      reserved?.giveBack?.(hasFailed);
    };
    const committed = append(payload, () => settle(true), !TAKES_ROOM[record.kind]).then(
      (sequence) => {
        const change = apply(state, record, sequence, binary);
        settle(false);
        onApplied(change);
        return state.characterUsed;
      },
      (error: unknown) => {
        settle(true);
        throw error;
      },
    );
    if (reserved !== undefined) reserved.version.committed = committed;
    this.#inFlight.add(committed);
    // Whoever wrote it hears of the error; whoever waits for it later hears of it again.
    const forget = (): boolean => this.#inFlight.delete(committed);
    committed.then(forget, forget);
    return committed;
  }

  /** @throws LoredexError `BOT_FULL`. What takes something away is never refused. */
  #requireRoom(record: BotRecord, bytes: number, growth: Growth | undefined, isNew: boolean): void {
    const { room, state, onFull, memory } = this.#parts;
    if (!TAKES_ROOM[record.kind]) return;
    // Articles ask before their quotas are checked. Vectors never ask.
    const isAsked = record.kind !== "articlePut" && record.kind !== "vectors";
    if (isAsked && growth !== undefined) memory?.require(growth);
    try {
      room.requireBytes(bytes);
      const inFlight = this.#inFlight.size;
      if (isNew) room.requireDocument(state.articles.size + state.documents.size + inFlight);
      const source = sourceNamedBy(record);
      if (source !== undefined && state.sources.get(source) === undefined)
        room.requireSource(state.sources.size + inFlight);
      if (record.kind === "agentPut" && !state.agents.has(record.name))
        room.requireRegistration(state.agents.size + inFlight);
      if (record.kind === "channelPut" && !state.channels.has(record.name))
        room.requireRegistration(state.channels.size + inFlight);
    } catch (error) {
      onFull();
      throw error;
    }
  }

  #encoded(record: BotRecord, binary: Uint8Array | undefined): Uint8Array {
    const { recordBytesMax = RECORD_BYTES_MAX } = this.#parts;
    const payload = encodeRecordUpTo(recordBytesMax, record, binary);
    if (payload !== undefined) return payload;
    const field = record.kind === "articlePut" ? "article" : "document";
    const message = `${field} takes more than the ${recordBytesMax} bytes that one may have as JSON; divide it into several`;
    throw new ValidationError([{ message, field, type: "maxLength" }]);
  }

  /** Resolves when all that is in flight now is state, or has failed. */
  async applied(): Promise<void> {
    await Promise.allSettled(this.#inFlight);
  }

  /** Resolves when nothing is in flight any more. */
  async settled(): Promise<void> {
    while (this.#accepted.size > 0) await Promise.allSettled(this.#accepted);
    await Promise.allSettled(this.#inFlight);
  }

  /** Has {@link settled} wait for what may wait itself before it is committed. */
  accept<Result>(accepted: Promise<Result>): Promise<Result> {
    this.#accepted.add(accepted);
    const forget = (): boolean => this.#accepted.delete(accepted);
    accepted.then(forget, forget);
    return accepted;
  }
}

/** The source that a record makes if there is none of this name. */
function sourceNamedBy(record: BotRecord): string | undefined {
  if (record.kind === "sourceArgument") return record.source;
  return record.kind === "documentBrought" || record.kind === "documentOrigin" ? record.origin.source : undefined;
}
