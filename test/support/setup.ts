import { afterAll, afterEach } from "vitest";
import { writeCounts } from "./counts.ts";
import { forgetSettings } from "./no-settings.ts";

// Before every test file: whatever process a test starts, and however, gets this environment.
forgetSettings(process.env);

const file = process.env.TESTS_COUNTS;
if (file !== undefined) afterAll(() => writeCounts(file));

// Tests that never wait leave the runner's answers unread, and after a minute of such tests it reports its own calls as failed. A test may replace the global function.
const soon = setImmediate;
afterEach(() => new Promise<void>((resolve) => soon(resolve)));
