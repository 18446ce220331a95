import { IdMaker } from "../../src/articles/identifier.ts";
import { Ingest } from "../../src/ingest.ts";
import { emptyState } from "../../src/log/state.ts";
import { limitsOf } from "../../src/model/bot-limits.ts";
import type { BotSettings } from "../../src/model/types.ts";
import { BotCapacity } from "../../src/quotas/bot-capacity.ts";
import { WindowClock } from "../../src/quotas/window-clock.ts";
import { seededRandom, TestClock } from "./test-clock.ts";
import { UncertainLog } from "./uncertain-log.ts";

/** The limits of a bot; they may change meanwhile. */
type Limits = Pick<BotSettings, "quotaCharacters" | "rateCharactersPerMinute"> &
  Partial<Pick<BotSettings, "quotaBytes" | "rateBytesPerMinute" | "importBytes">>;

/** The write path on a log whose appends wait until the test says how they end. */
export function bareIngest(limits: Limits, recordBytesMax: number) {
  const [state, log, clock] = [emptyState(), new UncertainLog(), new TestClock()];
  const ingest = new Ingest({
    state,
    append: (payload, onFailed) => log.append(payload, onFailed),
    limits: () => limitsOf(limits),
    clock,
    windowClock: new WindowClock(clock, 0),
    ids: new IdMaker(clock, seededRandom(1)),
    onApplied: () => undefined,
    room: new BotCapacity(() => 0),
    onFull: () => undefined,
    recordBytesMax,
  });
  return { state, log, clock, ingest };
}
