import { fileSystemContract } from "@loredex/core/testing";
import { describe, it } from "vitest";
import { type Disk, realDisks, simulatedDisk } from "../../packages/core/test/storage/kit.ts";

const realDisk = realDisks();

async function emptySimulated(): Promise<Disk> {
  const disk = simulatedDisk();
  await disk.fileSystem.makeDirectory(disk.directory);
  return disk;
}

describe.each([
  ["the real disk", realDisk],
  ["the simulated disk", emptySimulated],
])("the contract of a file system: %s", (_name, newDirectory) => {
  for (const { name, run } of fileSystemContract(newDirectory)) it(name, run);
});
