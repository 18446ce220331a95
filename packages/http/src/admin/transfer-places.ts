import { ADMIN_TRANSFERS_MAX } from "@loredex/core";
import { HttpError } from "../errors.ts";

/** Counts what streams at the same time. */
export class Transfers {
  #running = 0;

  /** Runs a transfer. @throws HttpError `OVERLOADED` if there are too many */
  async during<Result>(transfer: () => Promise<Result>): Promise<Result> {
    const end = this.begin();
    try {
      return await transfer();
    } finally {
      end();
    }
  }

  /** Begins a transfer. Returns a function that ends it, once. @throws HttpError `OVERLOADED` */
  begin(): () => void {
    if (this.#running >= ADMIN_TRANSFERS_MAX) {
      throw new HttpError("OVERLOADED", "The service carries as many files as it may. Please try again.");
    }
    this.#running++;
    let isRunning = true;
    return () => {
      if (isRunning) this.#running--;
      isRunning = false;
    };
  }
}
