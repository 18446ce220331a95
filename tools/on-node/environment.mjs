import { delimiter, sep } from "node:path";

/** What npm gives its scripts, and what a person may have set for a Loredex of their own. */
const NOT_A_PERSONS =
  /^(npm_(package|lifecycle)_.*|npm_(command|execpath|node_execpath)|npm_config_(local_prefix|user_agent|ignore_scripts)|INIT_CWD|NODE|NODE_OPTIONS|PORT|LOREDEX_.*|TESTS_.*|VITEST.*)$/i;

/** With it, tests fail that else are skipped by name where the graph library or the encoder is missing. */
const EXPECT_ALL = "TESTS_EXPECT_ALL";

/**
 * The environment of a person who has just opened a shell and chosen that Node: nothing in it comes from the npm that runs this, nor from the checkout's
 * own node_modules.
 * @param {NodeJS.ProcessEnv} env
 * @param {string} root the checkout that this runs in
 * @param {string} bin the folder of the chosen Node
 * @param {{ scripts: boolean }} installs whether install scripts run: where they do, whoever runs this may say that no part may be missing
 * @returns {NodeJS.ProcessEnv}
 */
export function freshEnvironment(env, root, bin, { scripts }) {
  const kept = Object.entries(env).filter(([name]) => !NOT_A_PERSONS.test(name) || (scripts && name === EXPECT_ALL));
  const inside = (/** @type {string} */ folder) => `${folder}${sep}`.startsWith(root.endsWith(sep) ? root : root + sep);
  const path = (env.PATH ?? "").split(delimiter).filter((folder) => !inside(folder) && !folder.includes(NPM_SCRIPTS));
  return { ...Object.fromEntries(kept), PATH: [bin, ...path].join(delimiter) };
}

/** Where npm keeps a program of its own for scripts. */
const NPM_SCRIPTS = "node-gyp-bin";
