/** Bytes that one request holds of what all of them share. */
export interface ByteHold {
  /** So many more. When that is too much for all together, somebody's are given up: perhaps these. */
  add(bytes: number): void;
  /** So many fewer. */
  take(bytes: number): void;
  /** Counts them for another owner from now on. */
  giveTo(owner: string): void;
  /** Gives all of them back, for good. */
  release(): void;
}

interface Holder {
  owner: string;
  readonly giveUp: () => void;
  bytes: number;
}

/**
 * A number of bytes that all connections share: bodies that have come, or answers that are made and not yet taken. Nobody waits for capacity, for then those who
 * hold it could keep all others out: when there is none, the owner that holds most loses what has stood still for longest.
 */
export class SharedBytes {
  readonly #bytesMax: number;
  /** By owner, each in the order of their last progress. */
  readonly #holders = new Map<string, { bytes: number; readonly all: Set<Holder> }>();
  #bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** `giveUp` is called at most once, when these are the ones that have to go; they count no more then. */
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

  /** A holder whose bytes change has made progress. */
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
