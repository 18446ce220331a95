/**
 * What keeps a bot from being used or written to.
 * - `damaged`: stored bytes are not what was written, or a newer version wrote them. Refused until it is repaired and the engine is opened again.
 * - `inaccessible`: its files cannot be opened, for want of permissions or because the disk fails. Tried again by itself.
 * - `readOnly`: the disk failed to keep a write, or files were removed or replaced while the engine ran. Writes are refused until a restart, reading goes on.
 * - `notWritable`: writes fail, reading goes on; each new write tries again.
 */
export type BotFaultKind = "damaged" | "inaccessible" | "readOnly" | "notWritable";

export interface BotFault {
  readonly kind: BotFaultKind;
  /** What is wrong and what to do, for the operator: it may name files. */
  readonly message: string;
}

/** How an engine is, as a monitor wants to know it. */
export interface EngineCondition {
  /** False while nothing can be written in the whole data directory: an engine with `background` finds it by trying. For good where the directory or its lock was removed. */
  readonly canWrite: boolean;
  /** The bots with a fault, as far as it is known: it is found when the bot is used, or by a look at the permissions after the start. */
  readonly faults: readonly { readonly id: string; readonly kind: BotFaultKind }[];
}
