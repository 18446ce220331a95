import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";

/** Stdin and stdout of this process, with a promise that they have been closed, by whichever side. */
export class EndingTransport extends StdioServerTransport {
  readonly closed: Promise<void>;
  #tell: () => void = () => {};

  constructor(...streams: ConstructorParameters<typeof StdioServerTransport>) {
    super(...streams);
    this.closed = new Promise((resolve) => {
      this.#tell = resolve;
    });
  }

  override async close(): Promise<void> {
    await super.close();
    this.#tell();
  }
}
