import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import type { UserConfig } from "vitest/node";
import { SECURITY_TESTS } from "./test/security/tests.ts";
import { lawFiles } from "./test/support/law-files.ts";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const source = (name: string, file = "src/index.ts") => here(`./packages/${name}/${file}`);

/** Three where there are two cores: files wait for the disk, for sockets and for programs that they start, and meanwhile another one has the core. */
const WORKERS = Math.max(3, availableParallelism() - 1);

/** Tests run on the sources: no build is needed before them. */
const resolve = {
  alias: [
    { find: /^@loredex\/client$/, replacement: source("client") },
    { find: /^@loredex\/console$/, replacement: source("console") },
    { find: /^@loredex\/core$/, replacement: source("core") },
    { find: /^@loredex\/core\/testing$/, replacement: source("core", "testing/index.ts") },
    { find: /^@loredex\/encoder$/, replacement: source("encoder") },
    { find: /^@loredex\/hnswlib$/, replacement: source("hnswlib") },
    { find: /^@loredex\/http$/, replacement: source("http") },
    { find: /^@loredex\/import$/, replacement: source("import") },
    { find: /^@loredex\/import\/files$/, replacement: source("import", "src/files/index.ts") },
    { find: /^@loredex\/mcp$/, replacement: source("mcp") },
    { find: /^@loredex\/minilm$/, replacement: source("minilm") },
    { find: /^@loredex\/multilingual$/, replacement: source("multilingual") },
    { find: /^@loredex\/openai$/, replacement: source("openai") },
    { find: /^@loredex\/postgres$/, replacement: source("postgres") },
    { find: /^loredex$/, replacement: source("loredex") },
  ],
};

/** The options that all projects have. */
const ALL = {
  globalSetup: here("./test/built/setup.ts"),
  setupFiles: [here("./test/support/setup.ts")],
  // Files share what they import: a file that changes what others import must put it back. Each for itself they take twice as long.
  isolate: false,
  // A busy machine may take its time; what never comes still fails. What comes soon is seen soon: by default a look is taken each 50 ms.
  expect: { poll: { timeout: 30_000, interval: 10 } },
};

const QUICK: TestProjectInlineConfiguration = {
  resolve,
  test: {
    ...ALL,
    name: "quick",
    include: ["packages/*/test/**/*.test.ts", "test/**/*.test.ts"],
    exclude: ["**/node_modules/**", "**/*.slow.test.ts"],
    testTimeout: 60_000,
    // What a test closes at its end takes as long on a busy machine as the test: by default ten seconds are given.
    hookTimeout: 60_000,
  },
};

const SLOW_TEST = {
  ...ALL,
  exclude: ["**/node_modules/**"],
  testTimeout: 3_600_000,
  hookTimeout: 600_000,
  env: { TESTS_LAWS: "full" },
};

/** The slow proofs, and in full the laws that the quick suite tries a few times. `npm run test:slow -- --short` runs their short forms: see tools/test-slow.mjs. */
export const SLOW: TestProjectInlineConfiguration = {
  resolve,
  test: {
    ...SLOW_TEST,
    name: "slow",
    include: ["packages/*/test/**/*.slow.test.ts", "test/**/*.slow.test.ts", ...lawFiles(here("."))],
  },
};

/** What SECURITY.md says, alone. `npm run test:security`: see tools/security. */
const SECURITY: TestProjectInlineConfiguration = {
  resolve,
  test: { ...SLOW_TEST, name: "security", include: [...SECURITY_TESTS] },
};

/** The options that hold for a whole run, and cannot differ between its projects. How many slow files run at once: see tools/run-project.mjs. */
const RUN: UserConfig = {
  // Without `--project`: most files of the other projects are among the quick ones, and would run again.
  project: "quick",
  projects: [QUICK, SLOW, SECURITY],
  // The runner of tests ends idle ones of three or more while files still run, and the run with them: none is ended before all are.
  maxWorkers: WORKERS,
  minWorkers: WORKERS,
  isolate: ALL.isolate,
};

export default defineConfig({ test: RUN });
