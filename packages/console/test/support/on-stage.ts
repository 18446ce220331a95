import { afterAll, afterEach, beforeAll, beforeEach, describe } from "vitest";
import { CHROMIUM, SKIPPED } from "../../../../test/support/chromium.ts";
import { Stage } from "./browser.ts";

/** A browser beside other tests on a small machine is slow: what a person waits a second for may take half a minute. */
const TIMEOUT_MS = 180_000;

/** Tests in a browser, each with a fake server of its own. A machine without Chromium skips them, by name. */
export function onStage(name: string, tests: (stage: Stage) => void): void {
  describe.skipIf(CHROMIUM === undefined)(`${name}${SKIPPED}`, { timeout: TIMEOUT_MS }, () => {
    const stage = new Stage();
    beforeAll(() => stage.open(), TIMEOUT_MS);
    beforeEach(() => stage.begin());
    afterEach(() => stage.end());
    afterAll(() => stage.close());
    tests(stage);
  });
}
