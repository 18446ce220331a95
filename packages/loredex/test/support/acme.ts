import { join } from "node:path";
import { writeFiles } from "./files.ts";
import { type Outcome, run } from "./run.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

/** A folder of two pages, and a data directory with the empty bot `acme`. */
export async function acme() {
  const directory = await temporaryDirectory();
  const folder = join(directory, "handbook");
  await writeFiles(folder, {
    "refunds.md": "---\nowner: Ann\n---\n# Refunds\n\nMoney comes back within 14 days.\n",
    "shipping.md": "# Shipping\n\nParcels leave at noon.\n",
  });
  const at = (...argv: readonly string[]): Promise<Outcome> => run(...argv, "--data", join(directory, "data"));
  const json = async (...argv: string[]) => JSON.parse((await at(...argv, "--json")).out);
  const made = await at("bot", "create", "acme", "--quota", "2_000", "--json");
  return { directory, folder, at, made, json };
}
