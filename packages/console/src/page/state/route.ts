import { computed, signal } from "@preact/signals";

const BASE = "/console/";

export const VIEWS = ["ask", "knowledge", "gaps", "measure", "fleet"] as const;
export type View = (typeof VIEWS)[number];

const place = signal(placeNow());

/** The view, and the rest of the path, decoded. */
export const route = computed(() => {
  const [view = "", ...rest] = place.value.path.slice(BASE.length).split("/").map(decoded);
  return { view: VIEWS.find((each) => each === view) ?? ("ask" as View), rest };
});

export const query = computed(() => new URLSearchParams(place.value.query));

addEventListener("popstate", () => {
  place.value = placeNow();
});

/** The address of a view. The bot stays in it, so that addresses can be shared. */
export function addressOf(path: string, parameters: Readonly<Record<string, string>> = {}): string {
  const bot = query.value.get("bot");
  const all = new URLSearchParams({ ...(bot !== null && { bot }), ...parameters });
  const text = all.toString();
  return BASE + path + (text === "" ? "" : `?${text}`);
}

/** The address of an article in the editor. */
export function editorOf(id: string): string {
  return addressOf(`knowledge/edit/${encodeURIComponent(id)}`);
}

export function navigate(address: string): void {
  history.pushState(null, "", address);
  place.value = placeNow();
}

/** Changes parameters of the present address, without a new entry of the history. */
export function setParameters(parameters: Readonly<Record<string, string | undefined>>): void {
  const all = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined || value === "") all.delete(name);
    else all.set(name, value);
  }
  const text = all.toString();
  history.replaceState(null, "", location.pathname + (text === "" ? "" : `?${text}`));
  place.value = placeNow();
}

function placeNow(): { readonly path: string; readonly query: string } {
  return { path: location.pathname, query: location.search };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
