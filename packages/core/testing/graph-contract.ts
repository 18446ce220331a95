import type { GraphBackend } from "../src/index/vectors/vector-graph.ts";
import { type ContractCase, casesOf } from "./contract.ts";
import { CHANGE_DEMANDS, SEARCH_DEMANDS } from "./graph-demands.ts";
import { LOADING_DEMANDS, SAVING_DEMANDS } from "./kept-graph-demands.ts";

/** Options of {@link graphContract}. */
export interface GraphContractOptions {
  /** How many drawn histories are tried, and half of the number of damaged bytes: from 1. Default 30. */
  readonly runs?: number;
  /** An integer that all drawn numbers depend on. The error of a drawn case names the seed of its run. Default 1. */
  readonly seed?: number;
}

/**
 * The contract of the port `GraphBackend`, with that of its graphs. A backend that cannot be used here fails every case.
 * @param newDirectory makes an empty directory for the temporary files of a case, and resolves with its path; the caller deletes it at the end
 */
export function graphContract(
  backend: GraphBackend,
  newDirectory: () => Promise<string>,
  { runs = 30, seed = 1 }: GraphContractOptions = {},
): ContractCase[] {
  const demands = { ...SEARCH_DEMANDS, ...CHANGE_DEMANDS, ...SAVING_DEMANDS, ...LOADING_DEMANDS };
  return casesOf(demands, { backend, newDirectory, runs, seed });
}
