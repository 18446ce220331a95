import { chmod, mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { directoryExposure, type SystemUsers } from "../../src/storage/directory-exposure.ts";

const OWN = process.getuid?.() ?? -1;
const GROUP = process.getgid?.() ?? -1;
/** A group of this user, and of whoever else is named. */
const usersWith = (...others: readonly string[]): SystemUsers => ({
  users: `root:x:0:0\nme:x:${OWN}:${GROUP}\n`,
  groups: `ours:x:${GROUP}:${["me", "root", ...others].join(",")}\n`,
});
const ALONE = usersWith();

describe.skipIf(OWN === -1)("who else may write to a data directory", () => {
  let above: string;
  let directory: string;
  beforeEach(async () => {
    above = await mkdtemp(join(tmpdir(), "loredex-"));
    directory = join(above, "data");
    await mkdir(directory, { mode: 0o700 });
    onTestFinished(() => rm(above, { recursive: true, force: true }));
  });

  it("is nobody, where only its user may, and in a place for temporary files as well", async () => {
    expect(await directoryExposure(directory, usersWith("other"))).toBeUndefined();
    await chmod(directory, 0o755);
    expect(await directoryExposure(directory, usersWith("other"))).toBeUndefined();
  });

  it("is everybody, by its mode", async () => {
    await chmod(directory, 0o777);
    const told = await directoryExposure(directory, ALONE);
    expect(told).toContain(`${directory} is one that every user of this machine may write to (mode 777)`);
    expect(told).toContain(`chmod go-w ${directory}`);
    await chmod(directory, 0o1777);
    expect(await directoryExposure(directory, ALONE)).toContain("(mode 1777)");
  });

  it("is its group, where that has others in it", async () => {
    await chmod(directory, 0o770);
    expect(await directoryExposure(directory, ALONE)).toBeUndefined();
    expect(await directoryExposure(directory, usersWith("ann"))).toContain(
      "the user ann may write to as well (mode 770)",
    );
    expect(await directoryExposure(directory, usersWith("ann", "ben", "cyd"))).toContain("ann and 2 more of its group");
    const byUser = { ...ALONE, users: `${ALONE.users}dan:x:${OWN + 1}:${GROUP}\n` };
    expect(await directoryExposure(directory, byUser)).toContain("the user dan");
  });

  it("is whoever may write to a folder that it lies in, unless each may remove only his own there", async () => {
    await chmod(above, 0o777);
    const told = await directoryExposure(directory, ALONE);
    expect(told).toContain(`${directory} lies in ${above}, which every user of this machine may write to`);
    await chmod(above, 0o1777);
    expect(await directoryExposure(directory, ALONE)).toBeUndefined();
  });

  it("is told of a directory that is not there yet, and of where a link leads", async () => {
    await chmod(above, 0o777);
    expect(await directoryExposure(join(above, "later", "data"), ALONE)).toContain(`lies in ${above}`);
    const link = join(tmpdir(), `loredex-link-${process.pid}`);
    await symlink(directory, link);
    onTestFinished(() => rm(link));
    expect(await directoryExposure(link, ALONE)).toContain(`lies in ${above}`);
  });
});
