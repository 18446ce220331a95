import { Database } from "../../src/database.ts";

/** A node that does something else before a statement that fits. If that throws, the statement fails with it. */
export class LateDatabase extends Database {
  late: { readonly fits: RegExp; readonly before: () => Promise<void> } | undefined;

  override async ask<Row extends object>(...asked: Parameters<Database["ask"]>): Promise<Row[]> {
    const { late } = this;
    if (late?.fits.test(asked[0]) === true) {
      this.late = undefined;
      await late.before();
    }
    return super.ask<Row>(...asked);
  }
}
