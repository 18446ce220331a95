import { spawnSync } from "node:child_process";
import { cpSync, existsSync } from "node:fs";
import { join } from "node:path";

/**
 * Copies a checkout as somebody else would get it: the files that git knows, with what stands in them now. What was never added to git is missing,
 * and so is everything that was built or installed.
 * @param {string} root
 * @param {string} directory
 */
export function copyCheckout(root, directory) {
  const { status, stdout, stderr } = spawnSync("git", ["-c", `safe.directory=${root}`, "ls-files", "-z"], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 100_000_000,
  });
  if (status !== 0) throw new Error(`git does not tell which files belong to the project: ${stderr}`);
  for (const file of stdout.split("\0")) {
    // A file may be known to git and deleted.
    if (file !== "" && existsSync(join(root, file))) cpSync(join(root, file), join(directory, file));
  }
}
