import {
  BEGINNING,
  TRANSITIONS,
  transition,
  type UpgradeEvent,
  type UpgradeState,
} from "../../../src/background/embedding/upgrade-states.ts";

/** The events that can come in a state. */
export function kindsIn(at: UpgradeState["at"]): UpgradeEvent["is"][] {
  return Object.keys(TRANSITIONS[at]) as UpgradeEvent["is"][];
}

/** An event of this kind, with new output or an error that tells its kind. */
export function eventOf(is: UpgradeEvent["is"]): UpgradeEvent {
  const [jobs, made, error] = [[], { vectors: [], tokenCodes: [] }, new Error(`Why ${is}.`)];
  return { is, jobs, made, error } as UpgradeEvent;
}

/** The table of transitions in words: for each state, the events that change it. `closed` closes every state, and is left out. */
export function tableInWords(): Record<string, string> {
  const rows = (Object.keys(TRANSITIONS) as UpgradeState["at"][]).map((at) => {
    const made = { vectors: [], tokenCodes: [] };
    const state = { at, past: BEGINNING.past, jobs: [], made, pauseMs: 500 } as UpgradeState;
    const moves = kindsIn(at).flatMap((is) => {
      const after = transition(state, eventOf(is));
      return after === state || is === "closed" ? [] : [`\`${is}\` → ${after.at}`];
    });
    return [at, moves.join(", ") || "none"] as const;
  });
  return Object.fromEntries(rows);
}
