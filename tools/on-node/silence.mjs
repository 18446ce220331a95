/** A warning of npm about how the machine is set up, not about this project. */
const OF_THE_MACHINE = /Unknown (user|global|env|builtin) config/;

/** Warnings of npm, and of Node itself: "(node:123) [DEP0040] DeprecationWarning: ..." */
const WARNING = /^npm (warn|WARN) |^\(node:\d+\) .*Warning: /;

/**
 * The lines of an output that warn: a clean checkout has none.
 * @param {string} output
 */
export function warningsIn(output) {
  return output.split(/\r?\n/).filter((line) => WARNING.test(line) && !OF_THE_MACHINE.test(line));
}
