/** `@loredex/core/testing`: the contracts of core's ports, a disk that fails on request, and a database that several nodes share. For tests only. */

export type * from "../src/storage/file-system.ts";
export { clockContract, randomContract } from "./clock-contract.ts";
export type { ContractCase } from "./contract.ts";
export {
  type EmbedderContractOptions,
  embedderContract,
  staticEmbedderContract,
  type Understood,
} from "./embedder-contract.ts";
export { type EmptyDirectory, fileSystemContract } from "./file-system-contract.ts";
export { type GraphContractOptions, graphContract } from "./graph-contract.ts";
export { SimulatedDatabase } from "./simulated-database.ts";
export {
  type Fault,
  type FileOperation,
  SimulatedFileSystem,
  type SimulatedFileSystemOptions,
} from "./simulated-file-system.ts";
export type { SimulatedDatabaseOptions } from "./simulated-server.ts";
export { type StorageContractOptions, storageContract } from "./storage-contract.ts";
export { openStorageOn } from "./storage-on.ts";
export type { NewPlace, OpenStorage } from "./told-stores.ts";
