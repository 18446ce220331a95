/** A connection of the driver, which ends and logs in as the storage needs it. */

import pg from "pg";
import pgpass from "pgpass";

/**
 * The driver leaves the connection of a failed login open, which would keep the process running until the server ends it. It reads the file at
 * `PGPASSFILE` by itself, and warns in each process that its next version will not.
 */
export class TidyClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config);
    const { host, port, database, user } = this;
    const server = {
      host,
      port,
      ...(database === undefined ? {} : { database }),
      ...(user === undefined ? {} : { user }),
    };
    const ofFile = () => new Promise<string | undefined>((resolve) => pgpass(server, resolve));
    // The driver calls a function, and its types do not know that. An address without a password would overrule one in the options of the pool.
    if (!this.password) Object.assign(this, { password: ofFile });
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<pg.Client> | undefined {
    if (callback === undefined) return super.connect();
    // The pool, which calls this, looks at the error alone.
    const told = callback as (error: Error | null) => void;
    super.connect((error: Error | null) => {
      if (error) this.end().catch(() => undefined);
      told(error);
    });
    return undefined;
  }
}

type Connected = ((error: Error) => void) | ((error: null, client: pg.Client) => void);
