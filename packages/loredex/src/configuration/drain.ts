/** The longest drain of a server that was told to stop, in milliseconds. It leaves a second for requests, and the rest for the disk. */
export const DRAIN_MS_MAX = 5_000;
/** The default drain on SIGTERM, in milliseconds. */
export const DRAIN_MS_DEFAULT = 1_000;
