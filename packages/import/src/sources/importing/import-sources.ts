import { kinds, requireArguments } from "@loredex/core";
import { importArguments } from "./import-arguments.ts";
import { IMPORT_SOURCES_OPTIONS, type ImportReport, type ImportSourcesOptions } from "./import-options.ts";
import { A_TARGET, type ImportTarget } from "./import-target.ts";
import { patientTarget } from "./while-short.ts";

const PARAMETERS = {
  bot: A_TARGET,
  paths: kinds.listOf(kinds.A_STRING, "a list of paths and addresses"),
  options: IMPORT_SOURCES_OPTIONS,
};

/**
 * Imports files, folders and addresses into a bot. A bad line or file is reported, and the rest is imported. The documents are durable when it resolves, and
 * searchable some time later.
 * @throws LoredexError that keeps all documents out, for example `DISK_FULL`. Also for a folder that is not at its former place: then nothing was changed.
 * ValidationError for an argument or an option that is unknown or of a wrong kind. The reason of the signal.
 */
export async function importSources(
  bot: ImportTarget,
  paths: readonly string[],
  options: ImportSourcesOptions = {},
): Promise<ImportReport> {
  requireArguments("importSources", { bot, paths, options }, PARAMETERS);
  const asked = paths.map((path) => ({ path, settings: options }));
  return importArguments(patientTarget(bot, options), asked, options);
}
