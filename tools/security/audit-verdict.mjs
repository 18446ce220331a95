const SEVERE = new Set(["high", "critical"]);

/**
 * What `npm audit --json` wrote, for people, and whether it is to fail.
 * @param {string} json
 * @returns {{ fails: boolean, said: string }}
 */
export function auditVerdict(json) {
  const report = parsed(json);
  if (report?.vulnerabilities === undefined || report.error !== undefined)
    return { fails: false, said: "audit: no registry answered, nothing was looked up" };
  const severe = Object.entries(report.vulnerabilities).filter(([, { severity }]) => SEVERE.has(severity));
  if (severe.length === 0) return { fails: false, said: "audit: no known hole of high or critical severity" };
  const rows = severe.map(([name, { severity, range }]) => `  ${name} ${range}: ${severity}\n`);
  return { fails: true, said: `audit: known holes, "npm audit" has the details\n${rows.join("")}` };
}

/**
 * @param {string} json
 * @returns {{ error?: unknown, vulnerabilities?: Record<string, { severity: string, range: string }> } | undefined}
 */
function parsed(json) {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
