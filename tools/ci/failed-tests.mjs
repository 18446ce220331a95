/** Lines of a failure's message that are told: the whole stands where the test ran, perhaps thousands of lines above. */
const LINES_MAX = 12;

/**
 * What failed in a run of tests, in words: a line for each test (or file that could not be loaded), with the beginning of its message below it.
 * @param {{ testResults?: readonly FileResult[] }} report as the test runner writes it
 * @returns {string[]}
 */
export function failedTests({ testResults = [] }) {
  return testResults.flatMap(({ name, status, message = "", assertionResults }) => {
    const tests = assertionResults.filter((test) => test.status === "failed");
    if (tests.length === 0) return status === "failed" ? [told(name, message)] : [];
    return tests.map(({ fullName, failureMessages }) => told(`${name} > ${fullName}`, failureMessages.join("\n")));
  });
}

/**
 * @typedef {{ fullName: string, status: string, failureMessages: readonly string[] }} TestResult
 * @typedef {{ name: string, status: string, message?: string, assertionResults: readonly TestResult[] }} FileResult
 */

/**
 * @param {string} what
 * @param {string} message
 */
function told(what, message) {
  const lines = message.trimEnd().split("\n").slice(0, LINES_MAX);
  return [`failed: ${what}`, ...lines.map((line) => `    ${line}`)].join("\n");
}
