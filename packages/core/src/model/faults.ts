/**
 * The kinds of faults that keep a bot from being used or written to.
 * - `damaged`: stored bytes differ from the written ones, or a newer version wrote them. Refused until the bot is repaired and the engine is opened again.
 *   Or a defect of Loredex showed in the bot: its message says so. Refused until the engine is opened again.
 * - `inaccessible`: its files cannot be opened: permissions, or a failing disk. The engine retries by itself.
 * - `readOnly`: an fsync failed, or files were removed or replaced while the engine ran. Writes are refused until a restart; reads continue.
 * - `notWritable`: writes fail; reads continue. Each new write tries again.
 */
export type BotFaultKind = "damaged" | "inaccessible" | "readOnly" | "notWritable";

/** The fault of a bot. */
export interface BotFault {
  readonly kind: BotFaultKind;
  /** What is wrong and what to do, for the operator: it may name files. */
  readonly message: string;
}

/** The condition of an engine, for monitoring. */
export interface EngineCondition {
  /** False while the data directory cannot be written. An engine with `background` finds out by trying. Permanent if the directory or its lock was removed. */
  readonly canWrite: boolean;
  /** The bots with a known fault. A fault is found when the bot is used, or by the check of permissions after the start. */
  readonly faults: readonly { readonly id: string; readonly kind: BotFaultKind }[];
  /** Present while the storage that nodes share does not answer. Writes are refused then. */
  readonly unreachable?: {
    /** Whether open bots still answer searches; see `EngineOptions.staleMaxMs`. */
    readonly answersSearches: boolean;
  };
}
