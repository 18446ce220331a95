/** A command that was used or configured wrongly: exit code 2. */
export class UsageError extends Error {
  /** The topic of `loredex help` with more about it; undefined for the called command. */
  readonly topic: string | undefined;

  constructor(message: string, topic?: string) {
    super(message);
    this.topic = topic;
  }
}
