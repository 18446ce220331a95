/** The bytes that one request holds of a shared number of bytes. */
export interface ByteHold {
  /** Adds bytes. If all holders together exceed the limit, one of them is given up: perhaps this one. */
  add(bytes: number): void;
  /** Subtracts bytes. */
  take(bytes: number): void;
  /** Counts the bytes for another owner from now on. */
  giveTo(owner: string): void;
  /** Gives all bytes back, for good. */
  release(): void;
}

interface Holder {
  owner: string;
  readonly giveUp: () => void;
  bytes: number;
}

/**
 * A number of bytes that all connections share: bodies that have arrived, or answers that are not sent yet.
 * No request waits for bytes: requests that hold them could keep all others out.
 * If the limit is exceeded, the owner with the most bytes loses the holder that has made no progress for longest.
 */
export class SharedBytes {
  readonly #bytesMax: number;
  /** By owner, each in the order of the last progress. */
  readonly #holders = new Map<string, { bytes: number; readonly all: Set<Holder> }>();
  #bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Begins to count bytes for an owner. `giveUp` is called at most once, when this holder must give its bytes up. They no longer count then. */
  hold(owner: string, giveUp: () => void): ByteHold {
    let isOver = false;
    const holder: Holder = {
      owner,
      bytes: 0,
      giveUp: () => {
        isOver = true;
        giveUp();
      },
    };
    return {
      add: (bytes) => {
        if (isOver || bytes === 0) return;
        this.#move(holder, bytes);
        while (this.#bytes > this.#bytesMax) this.#giveUpOne();
      },
      take: (bytes) => {
        if (!isOver) this.#move(holder, -Math.min(bytes, holder.bytes));
      },
      giveTo: (other) => {
        if (isOver) return;
        const { bytes } = holder;
        this.#remove(holder);
        holder.owner = other;
        holder.bytes = 0;
        if (bytes > 0) this.#move(holder, bytes);
      },
      release: () => {
        if (isOver) return;
        isOver = true;
        this.#remove(holder);
      },
    };
  }

  /** Changes the bytes of a holder, and notes that it has made progress. */
  #move(holder: Holder, bytes: number): void {
    const { owner } = holder;
    const of = this.#holders.get(owner) ?? { bytes: 0, all: new Set<Holder>() };
    this.#holders.set(owner, of);
    of.all.delete(holder);
    of.all.add(holder);
    holder.bytes += bytes;
    of.bytes += bytes;
    this.#bytes += bytes;
  }

  #remove(holder: Holder): void {
    const of = this.#holders.get(holder.owner);
    if (of?.all.delete(holder) !== true) return;
    of.bytes -= holder.bytes;
    this.#bytes -= holder.bytes;
    if (of.all.size === 0) this.#holders.delete(holder.owner);
  }

  #giveUpOne(): void {
    let most: { readonly bytes: number; readonly all: Set<Holder> } | undefined;
    for (const of of this.#holders.values()) if (most === undefined || of.bytes > most.bytes) most = of;
    for (const holder of most?.all ?? []) {
      if (holder.bytes === 0) continue;
      this.#remove(holder);
      holder.giveUp();
      return;
    }
  }
}
