import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";

/** The transport over stdin and stdout of this process. A promise tells that either side has closed them. */
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
