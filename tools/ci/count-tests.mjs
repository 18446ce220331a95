import { readFileSync } from "node:fs";
import { failedTests } from "./failed-tests.mjs";

/**
 * Adds up the test runner's JSON reports: prints what failed, and at last one line, "N passed, N failed, N skipped". A report that is missing or cannot
 * be read is a failure, and so is a run in which nothing ran.
 */
let passed = 0;
let failed = 0;
let skipped = 0;
for (const file of process.argv.slice(2)) {
  const report = readReport(file);
  for (const failure of failedTests(report)) console.log(failure);
  passed += report.numPassedTests;
  failed += report.numFailedTests;
  skipped += report.numPendingTests + report.numTodoTests;
  if (report.numFailedTestSuites > 0 && report.numFailedTests === 0) failed += report.numFailedTestSuites;
  if (report.numPassedTests + report.numFailedTests + report.numFailedTestSuites === 0) {
    console.error(`${file}: nothing ran`);
    failed += 1;
  }
}
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;

/** @param {string} file */
function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    console.error(`${file}: ${error instanceof Error ? error.message : error}`);
    return { numPassedTests: 0, numFailedTests: 1, numPendingTests: 0, numTodoTests: 0, numFailedTestSuites: 0 };
  }
}
