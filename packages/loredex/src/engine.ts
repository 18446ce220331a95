import { Engine as CoreEngine, ENGINE_OPTIONS, type EngineOptions, requireArguments } from "@loredex/core";
import { EMBEDDERS } from "./embedders.ts";

/** The engine of `@loredex/core`. */
export type Engine = CoreEngine;

/**
 * Opens engines with the embedders of Loredex ({@link EMBEDDERS}), if no `embedders` are given. Each is loaded when a bot needs it.
 * A new English bot gets `minilm`. A bot of another language gets `multilingual`, which works if `@loredex/multilingual` is installed.
 * With `embedders: {}` searches use BM25 alone.
 */
export const Engine = {
  /** As in `@loredex/core`, except for the default of `embedders`. */
  async open(options: EngineOptions = {}): Promise<CoreEngine> {
    requireArguments("Engine.open", { options }, { options: ENGINE_OPTIONS });
    return CoreEngine.open({ ...options, embedders: options.embedders ?? EMBEDDERS });
  },
  /** `engine instanceof Engine` is true for every engine, no matter which package opened it. */
  [Symbol.hasInstance](value: unknown): value is CoreEngine {
    return value instanceof CoreEngine;
  },
} as const;
