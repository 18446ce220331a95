import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { networkError } from "./network-words.ts";
import { isPrivateAddress } from "./private-addresses.ts";
import { WebError } from "./web-error.ts";

/** How names become addresses of machines, and which of those are private. */
export interface Resolver {
  /** @throws an error with a code of the system */
  resolve(host: string): Promise<readonly string[]>;
  isPrivate(address: string): boolean;
}

export const systemResolver: Resolver = {
  async resolve(host) {
    return (await lookup(host, { all: true })).map(({ address }) => address);
  },
  isPrivate: isPrivateAddress,
};

/** Where a request goes: only to these addresses, which were checked. */
export interface CheckedHost {
  readonly addresses: readonly string[];
  readonly isPrivate: boolean;
}

/**
 * Which machines may be asked. A private one only where the operator named its host: what a page or a server says may lead to public
 * ones, and back to that. A name that changes its address meanwhile leads nowhere else.
 */
export class Hosts {
  readonly #resolver: Resolver;
  /** The addresses that the hosts had which the operator named, by host and port. */
  readonly #named = new Map<string, ReadonlySet<string>>();

  constructor(resolver: Resolver) {
    this.#resolver = resolver;
  }

  /** Lets an address in that the operator typed, wherever it leads now. @throws WebError */
  async admit(url: URL): Promise<void> {
    if (this.#named.has(keyOf(url))) return;
    this.#named.set(keyOf(url), new Set(await this.#addressesOf(url)));
  }

  /** @throws WebError */
  async check(url: URL): Promise<CheckedHost> {
    const named = this.#named.get(keyOf(url));
    const all = await this.#addressesOf(url);
    const addresses = all.filter((address) => named?.has(address) === true || !this.#resolver.isPrivate(address));
    if (addresses.length > 0) {
      return { addresses, isPrivate: addresses.some((address) => this.#resolver.isPrivate(address)) };
    }
    const message = `it is an address of a private network (${all[0] ?? "none"}), and is only fetched where you name ${url.host} yourself`;
    throw new WebError("forbidden", message);
  }

  async #addressesOf({ hostname }: URL): Promise<readonly string[]> {
    const literal = hostname.replace(/^\[|\]$/g, "");
    if (isIP(literal) !== 0) return [literal];
    try {
      return await this.#resolver.resolve(hostname);
    } catch (error) {
      throw networkError(error);
    }
  }
}

/** A site that goes over from http to https stays the one that was named. */
function keyOf({ hostname, port }: URL): string {
  return port === "" ? hostname : `${hostname}:${port}`;
}
