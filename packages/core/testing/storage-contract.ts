import { BLOCK_DEMANDS, KEPT_BLOCK_DEMANDS } from "./block-demands.ts";
import { type ContractCase, casesOf } from "./contract.ts";
import { KEPT_STORE_DEMANDS } from "./kept-store-demands.ts";
import { SHARED_PURGE_DEMANDS } from "./shared-purge-demands.ts";
import { SHARED_STORAGE_DEMANDS } from "./shared-storage-demands.ts";
import { SHARED_STORE_DEMANDS } from "./shared-store-demands.ts";
import { STORAGE_DEMANDS } from "./storage-demands.ts";
import { STORE_DEMANDS } from "./store-demands.ts";
import type { NewPlace } from "./told-stores.ts";

/** Options of {@link storageContract}. */
export interface StorageContractOptions {
  /** Whether a reopened storage has the stores of before. False for a storage that only lives in memory. Default true. */
  readonly keeps?: boolean;
  /** Whether several nodes may use the storage at once: then `newPlace` gives a place that can be opened twice. Default false. */
  readonly shared?: boolean;
}

/**
 * The contract of the port `Storage`, with that of its stores and, if they have any, of their blocks. It cannot pull the plug: whether an
 * acknowledged record survives a power cut must be proved otherwise, as by the {@link SimulatedFileSystem}. Nor can it cut a shared storage off.
 * @param newPlace makes an empty place for each case
 */
export function storageContract(
  newPlace: NewPlace,
  { keeps = true, shared = false }: StorageContractOptions = {},
): ContractCase[] {
  const kept = keeps ? { ...KEPT_STORE_DEMANDS, ...KEPT_BLOCK_DEMANDS } : {};
  const common = shared ? { ...SHARED_STORE_DEMANDS, ...SHARED_PURGE_DEMANDS, ...SHARED_STORAGE_DEMANDS } : {};
  return casesOf({ ...STORAGE_DEMANDS, ...STORE_DEMANDS, ...BLOCK_DEMANDS, ...kept, ...common }, newPlace);
}
