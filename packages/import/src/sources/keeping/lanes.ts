/** Maximum sites at the same time. Sites are mostly waited for, and each takes the memory of a process that converts pages. */
const SITES_MAX = 4;

interface Work {
  readonly key: string;
  readonly hosts: ReadonlySet<string>;
  readonly run: () => Promise<void>;
}

/**
 * Runs work in parallel where it can. On the disk one piece runs after the other, because two may find the same new file. Up to four pieces run at addresses,
 * and never two at the same host. Waiting work reserves its hosts: newer work at one of them begins later. When all hosts of a piece are free, no newer work
 * begins before it. So a piece waits only for older pieces and for those that ran when it was added, however much is added later.
 */
export class Lanes {
  readonly #waiting = new Set<Work>();
  readonly #running = new Map<Work, Promise<void>>();

  /** True if work of this name runs or waits. */
  has(key: string): boolean {
    return [...this.#waiting, ...this.#running.keys()].some((work) => work.key === key);
  }

  /**
   * Starts the work as soon as it may begin. Waiting work begins in order, but is overtaken while its hosts are busy.
   * @param hosts the hosts that it fetches from; none for work on the disk
   * @param run must not reject
   */
  start(key: string, hosts: ReadonlySet<string>, run: () => Promise<void>): void {
    this.#waiting.add({ key, hosts, run });
    this.#startNext();
  }

  /** Resolves when all started work is done. */
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

  /** @param reserved the hosts of older waiting work */
  #mayBegin({ hosts }: Work, reserved: ReadonlySet<string>): boolean {
    const running = [...this.#running.keys()];
    if (hosts.size === 0) return running.every((other) => other.hosts.size > 0);
    const sites = running.filter((other) => other.hosts.size > 0);
    const isFree = (host: string): boolean => !reserved.has(host) && sites.every((other) => !other.hosts.has(host));
    return sites.length < SITES_MAX && [...hosts].every(isFree);
  }
}
