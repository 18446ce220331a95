import { ADMIN_KEY_TRANSFERS_MAX, ADMIN_TRANSFERS_MAX, type AdminIdentity } from "@loredex/core";
import { HttpError } from "../errors.ts";

/** Counts what streams at the same time, in all and for each admin key. */
export class Transfers {
  /** The name of the key of each transfer that runs. */
  readonly #running: string[] = [];

  /** Runs a transfer. @throws HttpError `OVERLOADED` if there are too many */
  async during<Result>(identity: AdminIdentity, transfer: () => Promise<Result>): Promise<Result> {
    const end = this.begin(identity);
    try {
      return await transfer();
    } finally {
      end();
    }
  }

  /** Begins a transfer. Returns a function that ends it, once. @throws HttpError `OVERLOADED` */
  begin({ name }: AdminIdentity): () => void {
    const ofKey = this.#running.filter((key) => key === name).length;
    if (this.#running.length >= ADMIN_TRANSFERS_MAX || ofKey >= ADMIN_KEY_TRANSFERS_MAX) {
      const whose = ofKey >= ADMIN_KEY_TRANSFERS_MAX ? "for this admin key" : "in all";
      throw new HttpError("OVERLOADED", `The service carries as many files ${whose} as it may. Please try again.`);
    }
    this.#running.push(name);
    let isRunning = true;
    return () => {
      if (isRunning) this.#running.splice(this.#running.indexOf(name), 1);
      isRunning = false;
    };
  }
}
