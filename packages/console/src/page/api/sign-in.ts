import { beginSession, hasEnded, session } from "../state/session.ts";
import { call } from "./client.ts";
import type { Session } from "./types.ts";

/** Asks who is signed in. */
export async function openSession(): Promise<void> {
  try {
    session.value = (await call<Session>("GET", "/session", { isSignIn: true })).data;
  } catch {
    session.value = null;
  }
}

/** @throws ApiError, as for a wrong key */
export async function signIn(key: string): Promise<void> {
  beginSession((await call<Session>("POST", "/session", { body: { key }, isSignIn: true })).data);
}

export async function signOut(): Promise<void> {
  await call("DELETE", "/session", { isSignIn: true });
  session.value = null;
  hasEnded.value = false;
}
