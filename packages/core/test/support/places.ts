import type { Storage } from "../../src/index.ts";
import { SimulatedDatabase } from "../../testing/simulated-database.ts";
import { openOn, simulatedDisk } from "../storage/kit.ts";

/** Opens the same storage at each call. */
export type Place = () => Promise<Storage>;

export function aDatabase(): Place {
  const database = new SimulatedDatabase();
  return async () => database.open();
}

export function aDirectory(): Place {
  const disk = simulatedDisk();
  return () => openOn(disk);
}
