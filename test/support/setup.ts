import { afterAll } from "vitest";
import { writeCounts } from "./counts.ts";
import { forgetSettings } from "./no-settings.ts";

// Before every test file: whatever process a test starts, and however, gets this environment.
forgetSettings(process.env);

const file = process.env.TESTS_COUNTS;
if (file !== undefined) afterAll(() => writeCounts(file));
