/** Sites are mostly waited for; each of them takes the memory of a process that converts pages. */
const SITES_MAX = 4;

interface Work {
  readonly key: string;
  readonly hosts: ReadonlySet<string>;
  readonly run: () => Promise<void>;
}

/**
 * Work that waits for other work only where it must: on the disk one piece goes after the other, as two may come upon the same new file; at
 * addresses up to four go at once, and never two at the same host.
 *
 * Work that waits reserves its hosts: newer work at one of them begins after it. When all its hosts are free, no newer work begins before it. So each piece waits
 * for the older ones and for what runs when it is given, and for nothing else, however much is given later.
 */
export class Lanes {
  readonly #waiting = new Set<Work>();
  readonly #running = new Map<Work, Promise<void>>();

  /** Whether work of this name runs, or waits. */
  has(key: string): boolean {
    return [...this.#waiting, ...this.#running.keys()].some((work) => work.key === key);
  }

  /**
   * Starts the work as soon as it may begin. What waits begins in the order in which it was given, but passes over what waits for a host.
   * @param hosts where it fetches; none for work on the disk
   * @param run must not reject
   */
  start(key: string, hosts: ReadonlySet<string>, run: () => Promise<void>): void {
    this.#waiting.add({ key, hosts, run });
    this.#startNext();
  }

  /** Resolves when all that was started is done. */
  async whenEmpty(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running.values());
  }

  #startNext(): void {
    const reserved = new Set<string>();
    for (const work of this.#waiting) {
      if (!this.#mayBegin(work, reserved)) {
        for (const host of work.hosts) reserved.add(host);
        continue;
      }
      this.#waiting.delete(work);
      const done = work.run().finally(() => {
        this.#running.delete(work);
        this.#startNext();
      });
      this.#running.set(work, done);
    }
  }

  /** @param reserved the hosts of older work that waits */
  #mayBegin({ hosts }: Work, reserved: ReadonlySet<string>): boolean {
    const running = [...this.#running.keys()];
    if (hosts.size === 0) return running.every((other) => other.hosts.size > 0);
    const sites = running.filter((other) => other.hosts.size > 0);
    const isFree = (host: string): boolean => !reserved.has(host) && sites.every((other) => !other.hosts.has(host));
    return sites.length < SITES_MAX && [...hosts].every(isFree);
  }
}
