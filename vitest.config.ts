import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const source = (name: string, file = "index.ts") =>
  fileURLToPath(new URL(`./packages/${name}/src/${file}`, import.meta.url));

/** Tests run on the sources: no build is needed before them. */
export default defineConfig({
  resolve: {
    alias: [
      { find: /^@loredex\/client$/, replacement: source("client") },
      { find: /^@loredex\/core$/, replacement: source("core") },
      { find: /^@loredex\/encoder$/, replacement: source("encoder") },
      { find: /^@loredex\/http$/, replacement: source("http") },
      { find: /^@loredex\/import$/, replacement: source("import") },
      { find: /^@loredex\/import\/files$/, replacement: source("import", "files/index.ts") },
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
    // On two cores the default is one worker.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    minWorkers: 1,
    // Files share what they import: a file that changes what others import must put it back. Each for itself they take twice as long.
    isolate: false,
    testTimeout: 60_000,
    // A busy machine may take its time; what never comes still fails.
    expect: { poll: { timeout: 10_000 } },
  },
});
