import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../../../test/support/law-runs.ts";
import {
  BEGINNING,
  transition,
  type UpgradeEvent,
  type UpgradeState,
} from "../../../src/background/embedding/upgrade-states.ts";
import { EMBEDDING_RETRY_MS_MAX, EMBEDDING_RETRY_MS_MIN } from "../../../src/model/options.ts";
import { eventOf, kindsIn } from "./transition-table.ts";

/** A walk through the table: each number picks one of the events that can come in the state, and seldom that it closes. */
function walk(picks: readonly number[], see: (before: UpgradeState, event: UpgradeEvent, after: UpgradeState) => void) {
  let state = BEGINNING;
  for (const pick of picks) {
    const kinds = kindsIn(state.at).filter((kind) => kind !== "closed" || pick > 985);
    const event = eventOf(kinds[pick % kinds.length] ?? expect.fail("A state without events."));
    const after = transition(state, event);
    see(state, event, after);
    state = after;
  }
}

const holds = (see: () => Parameters<typeof walk>[1]): void =>
  fc.assert(
    fc.property(fc.array(fc.nat(1_000), { maxLength: 200, size: "max" }), (picks) => walk(picks, see())),
    { numRuns: lawRuns(2_000) },
  );

describe("any sequence of events", () => {
  it("ends at closed for good, and closes from everywhere", () => {
    holds(() => (before, event, after) => {
      if (event.is === "closed" || before.at === "closed") expect(after.at).toBe("closed");
      if (before.at === "closed") expect(after).toBe(before);
    });
  });

  it("pauses for half a second after the first failure, and twice as long after each further one, up to five minutes", () => {
    holds(() => {
      let next = EMBEDDING_RETRY_MS_MIN;
      return (before, event, after) => {
        if (event.is === "kept") next = EMBEDDING_RETRY_MS_MIN;
        if (after === before || !("pauseMs" in after)) return;
        expect([event.is, after.pauseMs]).toEqual([after.at === "blocked" ? "lasting" : "failed", next]);
        next = Math.min(EMBEDDING_RETRY_MS_MAX, 2 * next);
      };
    });
  });

  it("keeps token codes of durable vectors only, and loses no output that the log did not take", () => {
    holds(() => {
      let made: unknown;
      return (before, event, after) => {
        if (event.is === "embedded" || event.is === "unwritten") made = event.made;
        if (before.at !== after.at && after.at === "keeping")
          expect([before.at, event.is]).toEqual(["appending", "durable"]);
        if (after.at === "keeping" || after.at === "appending") expect(after.made).toBe(made);
        if (before.at === "appending" && after.at !== "keeping") expect(after.past.unwritten).toBe(made);
        // Output that was not picked is of replaced versions.
        if (event.is === "picked" || event.is === "nothingWaits") expect(after.past.unwritten).toBeUndefined();
      };
    });
  });

  it("says that it is blocked only after what lasts, and until a call has succeeded or failed otherwise", () => {
    holds(() => {
      let blocked: string | undefined;
      return (before, event, after) => {
        if (event.is === "lasting" || event.is === "halted" || event.is === "broke") blocked = `Why ${event.is}.`;
        if (event.is === "kept" || event.is === "failed") blocked = undefined;
        expect(after.past.blocked).toBe(blocked);
        if (event.is === "awaited" && before.at === "blocked") expect(after.at).toBe("picking");
      };
    });
  });

  it("throws where an event cannot come", () => {
    expect(() => transition(BEGINNING, eventOf("durable"))).toThrow("defect");
  });
});
