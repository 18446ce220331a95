import { signal } from "@preact/signals";
import type { Session } from "../api/types.ts";

/** `undefined`: not known yet; `null`: nobody is signed in. */
export const session = signal<Session | null | undefined>(undefined);
/** Whether the session ended while the page was in use. The view stays as it is, behind the sign-in. */
export const hasEnded = signal(false);

const waiting = new Set<() => void>();

export function csrfToken(): string {
  return session.value?.csrfToken ?? "";
}

export function endSession(): void {
  if (session.value !== null && session.value !== undefined) hasEnded.value = true;
}

export function beginSession(begun: Session): void {
  session.value = begun;
  hasEnded.value = false;
  for (const resume of waiting) resume();
  waiting.clear();
}

export function whenSignedIn(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    waiting.add(resolve);
    signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}
