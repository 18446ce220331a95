/** What a source file can take of the machine it runs on. */
type Taken = "disk" | "clock" | "timers" | "turns" | "randomness";

const WORDS: readonly (readonly [Taken, RegExp])[] = [
  ["clock", /\b(Date\.now|performance\.now|process\.hrtime)\b|\bnew Date\(\)/],
  ["timers", /\b(setTimeout|setInterval|AbortSignal\.timeout|Atomics\.wait)\b/],
  ["turns", /\bsetImmediate\b/],
  ["randomness", /\b(Math\.random|randomBytes|randomUUID|randomInt|getRandomValues)\b/],
];

/** What a source text takes of the machine. */
export function takenBy(source: string, imports: readonly string[]): Taken[] {
  const disk: Taken[] = imports.some((imported) => /^(node:)?fs(\/|$)/.test(imported)) ? ["disk"] : [];
  return [...disk, ...WORDS.flatMap(([taken, words]) => (words.test(source) ? [taken] : []))];
}

/**
 * Who takes what, by file or by folder: all others are given it. In core only adapters do, and contracts that wait for a turn; the other packages are adapters as a whole.
 */
const TAKERS: Readonly<Record<string, readonly Taken[]>> = {
  "packages/core/src/embedding/english-static.ts": ["disk"],
  "packages/core/src/analysis/detector-file.ts": ["disk"],
  "packages/core/src/platform/machine.ts": ["disk"],
  "packages/core/src/platform/": ["clock", "timers", "randomness"],
  "packages/core/src/scheduling/": ["timers", "turns"],
  "packages/core/src/storage/directory-check.ts": ["disk"],
  "packages/core/src/storage/directory-exposure.ts": ["disk"],
  "packages/core/src/storage/directory-owner.ts": ["disk"],
  "packages/core/src/storage/lock.ts": ["disk"],
  "packages/core/src/storage/node-file-system.ts": ["disk"],
  "packages/core/src/storage/server-socket.ts": ["disk"],
  "packages/core/testing/": ["turns"],
  "packages/client/": ["clock", "timers", "randomness"],
  "packages/console/": ["disk", "clock", "timers", "randomness"],
  "packages/hnswlib/": ["disk", "turns"],
  "packages/http/src/unix-socket.ts": ["disk"],
  "packages/http/src/viewer-files.ts": ["disk"],
  "packages/http/": ["clock", "timers", "turns", "randomness"],
  "packages/import/": ["disk", "clock", "timers"],
  "packages/loredex/": ["disk", "clock", "timers", "randomness"],
  "packages/encoder/": ["disk", "timers"],
  "packages/mcp/": ["disk"],
  "packages/openai/": ["clock", "timers"],
  "packages/postgres/": ["disk", "clock", "timers", "turns", "randomness"],
};

/** What files take without being let in, and what places are let in for and no file of theirs takes. */
export function wronglyTaken(files: readonly (readonly [file: string, taken: readonly Taken[]])[]): string[] {
  const unused = new Set(Object.entries(TAKERS).flatMap(([place, all]) => all.map((taken) => `${place} ${taken}`)));
  const leaks: string[] = [];
  for (const [file, all] of files) {
    for (const taken of all) {
      const place = Object.keys(TAKERS).find((known) => file.startsWith(known) && TAKERS[known]?.includes(taken));
      if (place === undefined) leaks.push(`${file} takes ${taken}`);
      else unused.delete(`${place} ${taken}`);
    }
  }
  return [...leaks, ...[...unused].map((allowance) => `nobody needs ${allowance}`)];
}
