import { effect, signal } from "@preact/signals";
import { BASE, get } from "../api/client.ts";
import type { Alert, LiveBot } from "../api/types.ts";
import { away } from "./connection.ts";
import { hasEnded, session } from "./session.ts";

const EVENTS = `${BASE}/events`;
const AGAIN_MS = 3000;

export const isLive = signal(false);
export const isRestarting = signal(false);
export const liveBots = signal<readonly LiveBot[]>([]);
/** Undefined until the first event. */
export const liveAlerts = signal<readonly Alert[] | undefined>(undefined);

const isVisible = signal(document.visibilityState === "visible");
document.addEventListener("visibilitychange", () => {
  isVisible.value = document.visibilityState === "visible";
});

/** Listens while somebody is signed in and sees the page: browsers allow few connections to one server. */
export function listen(): void {
  effect(() => {
    if (!session.value || hasEnded.value || away.value || !isVisible.value) return;
    let source: EventSource | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const open = (): void => {
      source = new EventSource(EVENTS);
      source.onopen = () => {
        isLive.value = true;
        isRestarting.value = false;
      };
      source.addEventListener("fleet", (event) => {
        liveBots.value = JSON.parse(event.data).bots;
      });
      source.addEventListener("alerts", (event) => {
        liveAlerts.value = JSON.parse(event.data);
      });
      source.addEventListener("restart", () => {
        isRestarting.value = true;
      });
      source.onerror = () => {
        isLive.value = false;
        source?.close();
        timer = setTimeout(open, AGAIN_MS);
        // It tells whether the server is away, or the session has ended.
        get("/session").catch(() => undefined);
      };
    };
    open();
    return () => {
      isLive.value = false;
      source?.close();
      clearTimeout(timer);
    };
  });
}
