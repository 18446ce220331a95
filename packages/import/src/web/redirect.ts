import { pageAddress } from "./page-address.ts";
import { WebError } from "./web-error.ts";

/**
 * Resolves the `Location` of a redirect. A redirect from https to http is refused; if a server writes http for its own address, https is meant.
 * @throws WebError
 */
export function redirected(from: string, location: string | undefined): string {
  const to = location === undefined ? undefined : pageAddress(location, from);
  if (to === undefined) {
    throw new WebError("refused", `it leads to no address of a page (${location ?? "none is told"})`);
  }
  const [here, there] = [new URL(from), new URL(to)];
  if (here.protocol !== "https:" || there.protocol === "https:") return to;
  if (here.hostname !== there.hostname || here.port !== "" || there.port !== "") {
    throw new WebError("forbidden", `it leads from https to http (${to}), where anybody on the way could change it`);
  }
  there.protocol = "https:";
  return there.href;
}
