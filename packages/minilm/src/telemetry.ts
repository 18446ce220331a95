/**
 * Switches off what newer releases of the runtime send home, for whoever installs one in place of ours, which sends nothing. They read the
 * switch from the process's environment as they are loaded. It is set here, before a thread starts, as a thread has only a copy that native
 * code does not see.
 */
export function switchOffTelemetry(): void {
  process.env["ORT_DISABLE_TELEMETRY"] = "1";
}
