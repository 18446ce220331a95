/** The longest time, in milliseconds, that a server that was told to stop goes on: it leaves requests a second, and the disk its time. */
export const DRAIN_MS_MAX = 5_000;
/** What it is on SIGTERM where nothing is said. */
export const DRAIN_MS_DEFAULT = 1_000;
