import { Engine as CoreEngine, ENGINE_OPTIONS, type EngineOptions, requireArguments } from "@loredex/core";
import { EMBEDDERS } from "./embedders.ts";

/** The engine of `@loredex/core`. */
export type Engine = CoreEngine;

/**
 * Opens engines that understand: where no `embedders` are given they have those that come with Loredex ({@link EMBEDDERS}), and a new English bot
 * gets `minilm`, one of another language `multilingual`, which works as soon as `@loredex/multilingual` is installed. None of them is loaded before a bot needs it. With `embedders: {}` bots are found by words alone.
 */
export const Engine = {
  /** As in `@loredex/core`, but for the default of `embedders`. */
  async open(options: EngineOptions = {}): Promise<CoreEngine> {
    requireArguments("Engine.open", { options }, { options: ENGINE_OPTIONS });
    return CoreEngine.open({ ...options, embedders: options.embedders ?? EMBEDDERS });
  },
  /** `engine instanceof Engine` is true for every engine, whichever package opened it. */
  [Symbol.hasInstance](value: unknown): value is CoreEngine {
    return value instanceof CoreEngine;
  },
} as const;
