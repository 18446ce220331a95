import { expect, it } from "vitest";
import { auditVerdict } from "../../tools/security/audit-verdict.mjs";

const report = (severity: string) => JSON.stringify({ vulnerabilities: { sieve: { severity, range: "<2.0.0" } } });

it("a known hole of high or critical severity fails, and is named", () => {
  for (const severity of ["high", "critical"]) {
    const { fails, said } = auditVerdict(report(severity));
    expect([fails, said]).toEqual([true, expect.stringContaining(`sieve <2.0.0: ${severity}`)]);
  }
});

it("others do not fail, nor does a registry that does not answer, which is said", () => {
  expect(auditVerdict(report("moderate"))).toEqual({ fails: false, said: expect.stringContaining("no known hole") });
  expect(auditVerdict('{"vulnerabilities":{}}').fails).toBe(false);
  for (const answer of ["", "npm error", '{"error":{"code":"ENOAUDIT"}}', '{"message":"405 Method Not Allowed"}'])
    expect(auditVerdict(answer)).toEqual({ fails: false, said: expect.stringContaining("no registry answered") });
});
