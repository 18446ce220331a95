import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * `npm run test:python`: mypy and the tests of the Python packages, against a server of the built program, in an environment of their own
 * below `.tmp`. Says that it is skipped where there is no Python, which is a failure where TESTS_EXPECT_ALL is set.
 */
const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const PACKAGES = ["client-python", "langchain-python", "llama-index-python"].map((name) =>
  join(ROOT, "packages", name),
);
const ENVIRONMENT = join(ROOT, ".tmp", "python");
const ON_WINDOWS = process.platform === "win32";
const PYTHON = join(ENVIRONMENT, ON_WINDOWS ? "Scripts" : "bin", "python");
/** The oldest that the package promises. */
const VERSION_MIN = "(3, 10)";
const NEEDED = [
  "anyio>=4",
  "httpx>=0.27,<1",
  "mypy>=1.11",
  "pytest>=8",
  // The frameworks change weekly: these are the versions that were tried. LangChain's newest do not run on Python 3.10.
  "langchain-core==1.8.3; python_version >= '3.11'",
  "langchain-core==1.7.7; python_version < '3.11'",
  "llama-index-core==0.14.25",
];

process.exitCode = main();

/** @returns {number} */
function main() {
  if (!existsSync(join(ROOT, "packages", "loredex", "dist", "cli.js"))) {
    console.error("The tests need the built program: npm run build");
    return 1;
  }
  const python = foundPython();
  if (python === undefined) return skipped(`there is no Python of at least ${VERSION_MIN}`);
  if (!existsSync(PYTHON)) {
    mkdirSync(join(ROOT, ".tmp"), { recursive: true });
    if (run(python, ["-m", "venv", ENVIRONMENT]) !== 0) return skipped("this Python makes no environments");
  }
  if (run(PYTHON, ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", ...NEEDED]) !== 0) {
    return skipped("what the tests need could not be installed");
  }
  for (const folder of PACKAGES) {
    const code = run(PYTHON, ["-m", "mypy"], folder) || run(PYTHON, ["-m", "pytest"], folder);
    if (code !== 0) return code;
  }
  return 0;
}

/** @returns {string | undefined} */
function foundPython() {
  const names = ON_WINDOWS ? ["python", "py"] : ["python3", "python"];
  const check = `import sys; sys.exit(sys.version_info < ${VERSION_MIN})`;
  return names.find((name) => spawnSync(name, ["-c", check], { stdio: "ignore" }).status === 0);
}

/**
 * @param {string} command
 * @param {string[]} args
 * @param {string} [folder] where it runs
 * @returns {number}
 */
function run(command, args, folder = ROOT) {
  return spawnSync(command, args, { cwd: folder, stdio: "inherit" }).status ?? 1;
}

/** @param {string} why */
function skipped(why) {
  console.error(`\nSKIPPED, the Python packages were not tested: ${why}.`);
  return process.env.TESTS_EXPECT_ALL ? 1 : 0;
}
