import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const source = (name: string, file = "index.ts") =>
  fileURLToPath(new URL(`./packages/${name}/src/${file}`, import.meta.url));

/** Three where there are two cores: files wait for the disk, for sockets and for programs that they start, and meanwhile another one has the core. */
const WORKERS = Math.max(3, availableParallelism() - 1);

/** Tests run on the sources: no build is needed before them. */
export default defineConfig({
  resolve: {
    alias: [
      { find: /^@loredex\/client$/, replacement: source("client") },
      { find: /^@loredex\/core$/, replacement: source("core") },
      { find: /^@loredex\/encoder$/, replacement: source("encoder") },
      { find: /^@loredex\/hnswlib$/, replacement: source("hnswlib") },
      { find: /^@loredex\/http$/, replacement: source("http") },
      { find: /^@loredex\/import$/, replacement: source("import") },
      { find: /^@loredex\/import\/files$/, replacement: source("import", "files/index.ts") },
      { find: /^@loredex\/mcp$/, replacement: source("mcp") },
      { find: /^@loredex\/minilm$/, replacement: source("minilm") },
      { find: /^@loredex\/multilingual$/, replacement: source("multilingual") },
      { find: /^@loredex\/openai$/, replacement: source("openai") },
      { find: /^loredex$/, replacement: source("loredex") },
    ],
  },
  test: {
    globalSetup: "test/built/setup.ts",
    include: ["packages/*/test/**/*.test.ts", "test/**/*.test.ts"],
    exclude: ["**/node_modules/**", "**/*.slow.test.ts"],
    setupFiles: [fileURLToPath(new URL("./test/support/setup.ts", import.meta.url))],
    // The runner of tests ends idle ones of three or more while files still run, and the run with them: none is ended before all are.
    maxWorkers: WORKERS,
    minWorkers: WORKERS,
    // Files share what they import: a file that changes what others import must put it back. Each for itself they take twice as long.
    isolate: false,
    testTimeout: 60_000,
    // What a test closes at its end takes as long on a busy machine as the test: by default ten seconds are given.
    hookTimeout: 60_000,
    // A busy machine may take its time; what never comes still fails. What comes soon is seen soon: by default a look is taken each 50 ms.
    expect: { poll: { timeout: 30_000, interval: 10 } },
  },
});
