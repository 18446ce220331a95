import { fileURLToPath } from "node:url";
import { defineConfig, mergeConfig } from "vitest/config";
import { lawFiles } from "./test/support/law-files.ts";
import base from "./vitest.config.ts";

const isShort = process.env.TESTS_SHORT === "1";
/** Most of the slow proofs wait for programs that they start: two at once take little more than half the time. In full they take turns, as each may want the whole machine. */
const workers = isShort ? { maxWorkers: 2, minWorkers: 2 } : { fileParallelism: false };

/** The slow proofs, and in full the laws that the quick suite tries a few times. `npm run test:slow -- --short` runs their short forms: see tools/test-slow.mjs. */
const slow = mergeConfig(
  base,
  defineConfig({
    test: { testTimeout: 3_600_000, hookTimeout: 600_000, env: { TESTS_LAWS: "full" }, ...workers },
  }),
);
slow.test = {
  ...slow.test,
  include: [
    "packages/*/test/**/*.slow.test.ts",
    "test/**/*.slow.test.ts",
    ...lawFiles(fileURLToPath(new URL(".", import.meta.url))),
  ],
  exclude: ["**/node_modules/**"],
};
export default slow;
