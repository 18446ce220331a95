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
 */
export class Lanes {
  readonly #waiting = new Set<Work>();
  readonly #running = new Map<Work, Promise<void>>();

  /** Whether work of this name runs, or waits. */
  has(key: string): boolean {
    return [...this.#waiting, ...this.#running.keys()].some((work) => work.key === key);
  }

  /**
   * Starts the work as soon as it may begin, in the order in which it was given.
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
    for (const work of this.#waiting) {
      if (!this.#mayBegin(work)) continue;
      this.#waiting.delete(work);
      const done = work.run().finally(() => {
        this.#running.delete(work);
        this.#startNext();
      });
      this.#running.set(work, done);
    }
  }

  #mayBegin({ hosts }: Work): boolean {
    const running = [...this.#running.keys()];
    if (hosts.size === 0) return running.every((other) => other.hosts.size > 0);
    const sites = running.filter((other) => other.hosts.size > 0);
    return sites.length < SITES_MAX && sites.every((other) => [...hosts].every((host) => !other.hosts.has(host)));
  }
}
