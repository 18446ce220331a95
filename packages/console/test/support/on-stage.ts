import { afterAll, afterEach, beforeAll, beforeEach, describe } from "vitest";
import { CHROMIUM, SKIPPED } from "../../../../test/support/chromium.ts";
import { Stage } from "./browser.ts";

/** Tests in a browser, each with a fake server of its own. A machine without Chromium skips them, by name. */
export function onStage(name: string, tests: (stage: Stage) => void): void {
  describe.skipIf(CHROMIUM === undefined)(`${name}${SKIPPED}`, () => {
    const stage = new Stage();
    beforeAll(() => stage.open());
    beforeEach(() => stage.begin());
    afterEach(() => stage.end());
    afterAll(() => stage.close());
    tests(stage);
  });
}
