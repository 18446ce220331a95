import { signal } from "@preact/signals";
import { gate } from "./gate.ts";

/** Whether the server does not answer. */
export const away = signal(false);
/** Grows each time the server answers again: what is shown may be old then. */
export const returns = signal(0);

const PROBE_MS = [500, 1000, 1500, 2000, 3000];
const answers = gate();

export function noteAnswer(): void {
  if (!away.value) return;
  away.value = false;
  returns.value += 1;
  answers.open();
}

export function noteSilence(): void {
  if (away.value) return;
  away.value = true;
  probe(0);
}

/** Resolves once the server answers again. */
export function whenBack(signal: AbortSignal | undefined): Promise<void> {
  return away.value ? answers.passed(signal) : Promise.resolve();
}

function probe(attempt: number): void {
  const wait = PROBE_MS[Math.min(attempt, PROBE_MS.length - 1)];
  setTimeout(async () => {
    if (!away.value) return;
    try {
      const response = await fetch("/api/v1/admin/session", { cache: "no-store", redirect: "error" });
      // A proxy answers for a server that is away.
      if (response.status === 502 || response.status === 503 || response.status === 504) throw new Error("away");
      noteAnswer();
    } catch {
      probe(attempt + 1);
    }
  }, wait);
}

addEventListener("online", () => {
  if (away.value) probe(0);
});
