import { computed, signal } from "@preact/signals";
import type { Session } from "../api/types.ts";
import { gate } from "./gate.ts";

/** `undefined`: not known yet; `null`: nobody is signed in. */
export const session = signal<Session | null | undefined>(undefined);
/** Whether the session ended while the page was in use. The view stays as it is, behind the sign-in. */
export const hasEnded = signal(false);

const signIns = gate();
/** Resolves after the next sign-in. */
export const whenSignedIn = signIns.passed;

/** Whether the key may change what it sees. */
export const mayChange = computed(() => session.value?.scope === "write");
/** Whether the key may create bots: one for some bots may not. */
export const mayCreate = computed(() => mayChange.value && session.value?.bots === undefined);

export function csrfToken(): string {
  return session.value?.csrfToken ?? "";
}

export function endSession(): void {
  if (session.value !== null && session.value !== undefined) hasEnded.value = true;
}

export function beginSession(begun: Session): void {
  session.value = begun;
  hasEnded.value = false;
  signIns.open();
}
