import { ValidationError } from "../model/errors.ts";
import { RECORD_BYTES_MAX } from "../model/limits.ts";
import type { BotRecord } from "../model/records.ts";
import type { BotCapacity } from "../quotas/bot-capacity.ts";
import type { Growth } from "../quotas/bot-memory.ts";
import { apply } from "./apply.ts";
import type { IndexChange } from "./index-change.ts";
import type { PendingWrite } from "./pending-writes.ts";
import { decodeBotRecord, encodeRecordUpTo } from "./record-codec.ts";
import { kindOf } from "./record-kinds.ts";
import type { BotState } from "./state.ts";
import { understanding } from "./unreadable.ts";

/** Dependencies of {@link Commits}. */
export interface CommitDeps {
  readonly state: BotState;
  /** Appends a record to the log; see {@link Store.append}. On failure `onFailed` is called at once, before anything else is decided. */
  readonly append: (payload: Uint8Array, onFailed: () => void, frees: boolean) => Promise<number>;
  /** Called right after a durable record was applied, before its writer gets the answer. */
  readonly onApplied: (change: IndexChange) => void;
  /** Called for each record of another node that was applied. */
  readonly onOthers?: (record: BotRecord) => void;
  readonly room: BotCapacity;
  /** The memory budget; without one, no write is refused for memory. */
  readonly memory?: WriteMemory | undefined;
  /** Called when a write was refused with `BOT_FULL`: a new snapshot may free the space of documents deleted since the last one. */
  readonly onFull: () => void;
  /** Resolves when the snapshot that is being written is stored; undefined if the log is not far ahead of it. Imports wait for it. */
  readonly caughtUp?: () => Promise<void> | undefined;
  /** The longest record that `append` takes, in bytes. Default: {@link RECORD_BYTES_MAX}. */
  readonly recordBytesMax?: number;
}

/** The memory budget, as writes see it. */
export interface WriteMemory {
  /** Requires memory for a write. A write that adds nothing is never refused. @throws LoredexError `OUT_OF_MEMORY` */
  readonly require: (growth: Growth) => void;
  /** Counts an accepted write. Returns a function that takes the count off again. */
  readonly take: (growth: Growth) => () => void;
}

/** The reservation of one write in flight. */
export interface Reservation {
  readonly version: PendingWrite;
  /** Gives the reserved quota back. Called once, when the write is durable and applied or when it has failed. */
  readonly giveBack?: (hasFailed: boolean) => void;
}

/** Options of one commit. */
interface CommitOptions {
  /** Reserves quota for the write, until it is durable or has failed. Called after the last check. */
  readonly reserve?: () => Reservation;
  /** Whether the record adds an article or a document that does not exist yet. Default: false. */
  readonly isNew?: boolean;
  /** The record's binary part, which follows its JSON. */
  readonly binary?: Uint8Array;
  /** The encoded record, if the caller has made it already. */
  readonly encoded?: Uint8Array | undefined;
  /** Its memory growth, if the caller knows it already. */
  readonly growth?: Growth;
}

/** Commits records: the last steps of every write, which are check capacity → reserve → append → apply. */
export class Commits {
  readonly #deps: CommitDeps;
  /** Appends that are not durable yet. */
  readonly #inFlight = new Set<Promise<unknown>>();
  /** Accepted writes that may still wait before they are appended. */
  readonly #accepted = new Set<Promise<unknown>>();

  /** Why a durable record could not be applied. */
  #failure: { readonly error: unknown } | undefined;

  constructor(deps: CommitDeps) {
    this.#deps = deps;
  }

  /**
   * Appends a record and, once it is durable, applies it. Resolves with the bot's `characterUsed` right after this write.
   * @throws ValidationError for a record that is too long, LoredexError `BOT_FULL` or `OUT_OF_MEMORY`; nothing has been reserved then
   */
  commit(
    record: BotRecord,
    { reserve, isNew = false, binary, encoded, growth: known }: CommitOptions = {},
  ): Promise<number> {
    const { state, append, onApplied, memory } = this.#deps;
    const payload = encoded ?? this.#encoded(record, binary);
    const growth = memory === undefined ? undefined : (known ?? kindOf(record).growth(record, payload.length, state));
    this.#requireCapacity(record, payload.length, growth, isNew);
    const reserved = reserve?.();
    const leaveRoom = this.#deps.room.take(payload.length);
    // The encoded bytes stay in memory until they are written.
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
    const committed = append(payload, () => settle(true), kindOf(record).takes === undefined).then(
      (sequence) => {
        try {
          const change = this.#apply(record, sequence, binary);
          settle(false);
          onApplied(change);
        } finally {
          // Only if it could not be applied: a settled write stays settled.
          settle(true);
        }
        return state.characterUsed;
      },
      (error: unknown) => {
        settle(true);
        throw error;
      },
    );
    if (reserved !== undefined) reserved.version.committed = committed;
    this.#inFlight.add(committed);
    // The writer gets the error. A caller that waits for this write later gets it again.
    const forget = (): boolean => this.#inFlight.delete(committed);
    committed.then(forget, forget);
    return committed;
  }

  /** Applies a record that another node has appended. @throws LoredexError `CORRUPT`, `UNSUPPORTED_FORMAT` */
  applyOthers(sequence: number, payload: Uint8Array): IndexChange {
    const { record, binary } = decodeBotRecord(sequence, payload);
    understanding(`Record ${sequence}`, () => kindOf(record).check(record));
    const change = this.#apply(record, sequence, binary);
    this.#deps.onOthers?.(record);
    this.#deps.onApplied(change);
    return change;
  }

  /** Applies a durable record. After a failure, no other record is applied: a snapshot of the state would lose the failed record. */
  #apply(record: BotRecord, sequence: number, binary: Uint8Array | undefined): IndexChange {
    if (this.#failure !== undefined) throw this.#failure.error;
    try {
      return apply(this.#deps.state, record, sequence, binary);
    } catch (error) {
      this.#failure = { error };
      throw error;
    }
  }

  /** Checks memory and capacity. A record that cannot make the bot larger is never refused. @throws LoredexError `BOT_FULL`, `OUT_OF_MEMORY` */
  #requireCapacity(record: BotRecord, bytes: number, growth: Growth | undefined, isNew: boolean): void {
    const { room, state, onFull, memory } = this.#deps;
    const { takes } = kindOf(record);
    if (takes === undefined) return;
    if (takes.requiresMemory && growth !== undefined) memory?.require(growth);
    try {
      room.requireBytes(bytes);
      const inFlight = this.#inFlight.size;
      if (isNew) room.requireDocument(state.articles.size + state.documents.size + inFlight);
      takes.requireCapacity(record, state, room, inFlight);
    } catch (error) {
      onFull();
      throw error;
    }
  }

  #encoded(record: BotRecord, binary: Uint8Array | undefined): Uint8Array {
    const { recordBytesMax = RECORD_BYTES_MAX } = this.#deps;
    const payload = encodeRecordUpTo(recordBytesMax, record, binary);
    if (payload !== undefined) return payload;
    const { field } = kindOf(record);
    const message = `${field} takes more than the ${recordBytesMax} bytes that one may have as JSON; divide it into several`;
    throw new ValidationError([{ message, field, type: "maxLength" }]);
  }

  /** Resolves when every append that is in flight now is applied or has failed. */
  async applied(): Promise<void> {
    await Promise.allSettled(this.#inFlight);
  }

  /** Resolves when no write is in flight any more. */
  async settled(): Promise<void> {
    while (this.#accepted.size > 0) await Promise.allSettled(this.#accepted);
    await Promise.allSettled(this.#inFlight);
  }

  /** Makes {@link settled} wait for a write that may itself wait before it is committed. */
  accept<Result>(accepted: Promise<Result>): Promise<Result> {
    this.#accepted.add(accepted);
    const forget = (): boolean => this.#accepted.delete(accepted);
    accepted.then(forget, forget);
    return accepted;
  }
}
