/** Time and randomness as parameters, so that tests control both. Only `engine.ts` passes the real ones. */

export interface Clock {
  /** Milliseconds since the epoch, by the wall clock. May jump either way. */
  wallMs(): number;
  /** Milliseconds from an arbitrary start; never runs backwards. */
  monotonicMs(): number;
}

export interface Random {
  /** `length` unpredictable bytes. */
  bytes(length: number): Uint8Array;
}
