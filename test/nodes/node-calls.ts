/** What the settings of a node are. */
export interface NodeSettings {
  /** The address of the database, or of a proxy before it. */
  readonly store: string;
  readonly schema: string;
  readonly migrate?: boolean;
  readonly memoryBytes?: number;
  readonly openBotsMax?: number;
}

/** A call of a node besides those of its HTTP API. */
export interface Call {
  readonly number: number;
  readonly is: "snapshot" | "purge" | "figures";
  /** The bot's id; empty for figures. */
  readonly bot: string;
}

/** The answer to the call of this number. The first line of a node has the number 0. */
export interface Answer {
  readonly number: number;
  /** The most bots that were open at once. */
  readonly openBots: number;
  readonly url?: string;
  readonly error?: string;
}
