import type { Gate } from "./worker/gate.js";

/** Longer than any call of the model takes, loading it included. */
const EXIT_WAIT_MS = 5_000;

const gates = new Set<Gate>();

function settle(): void {
  for (const gate of gates) gate.close();
  for (const gate of gates) gate.waitUntilEmpty(EXIT_WAIT_MS);
}

/** From now on the process does not end while a thread is inside the model: see {@link Gate}. Returns what ends that. */
export function guardExit(gate: Gate): () => void {
  if (gates.size === 0) process.on("exit", settle);
  gates.add(gate);
  return () => {
    gates.delete(gate);
    if (gates.size === 0) process.off("exit", settle);
  };
}
