import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { networkError } from "./network-words.ts";
import { isOwnAddress, isPrivateAddress } from "./private-addresses.ts";
import { WebError } from "./web-error.ts";

/** Resolves host names to the addresses of machines. */
export interface Resolver {
  /** @throws an error with a code of the system */
  resolve(host: string): Promise<readonly string[]>;
  isPrivate(address: string): boolean;
}

export const systemResolver: Resolver = {
  async resolve(host) {
    return (await lookup(host, { all: true })).map(({ address }) => address);
  },
  isPrivate: (address) => isPrivateAddress(address) || isOwnAddress(address),
};

/** A request's destination. Only these checked addresses may be connected to. */
export interface CheckedHost {
  readonly addresses: readonly string[];
  readonly isPrivate: boolean;
}

/**
 * Decides which hosts may be asked. A private host is permitted only if the operator named it. Links and redirects may lead to public hosts, and back to the
 * named one. If a named host later resolves to another private address, that address is refused.
 */
export class Hosts {
  readonly #resolver: Resolver;
  /** The addresses of hosts that the operator named, by host and port. */
  readonly #named = new Map<string, ReadonlySet<string>>();

  readonly #publicOnly: boolean;

  /** @param publicOnly refuses private hosts also where they are named */
  constructor(resolver: Resolver, publicOnly = false) {
    this.#resolver = resolver;
    this.#publicOnly = publicOnly;
  }

  /** Permits an address that the operator typed, wherever it resolves now. @throws WebError */
  async admit(url: URL): Promise<void> {
    if (this.#publicOnly || this.#named.has(keyOf(url))) return;
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
    const network = "it is an address of a private network";
    // Who may not fetch it must not learn what the names of this network resolve to.
    if (this.#publicOnly) throw new WebError("forbidden", `${network}, which is not fetched here`);
    const where = `${network} (${all[0] ?? "none"})`;
    throw new WebError("forbidden", `${where}, and is only fetched where you name ${url.host} yourself`);
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

/** A site that moves from http to https keeps its key. */
function keyOf({ hostname, port }: URL): string {
  return port === "" ? hostname : `${hostname}:${port}`;
}
