/** The command was used, or configured, in a way that can't be right: exit code 2. */
export class UsageError extends Error {
  /** What `loredex help` says more of, where that is not the command that was called. */
  readonly topic: string | undefined;

  constructor(message: string, topic?: string) {
    super(message);
    this.topic = topic;
  }
}
