import { forgetSettings } from "./no-settings.ts";

// Before every test file: whatever process a test starts, and however, gets this environment.
forgetSettings(process.env);
