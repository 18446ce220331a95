import { basename } from "node:path";
import {
  ADMIN_ADDRESS_CHARACTERS_MAX,
  ADMIN_ADDRESSES_MAX,
  LoredexError,
  type SourceInfo,
  ValidationError,
} from "@loredex/core";
import type { AdminJob } from "@loredex/http";
import {
  type ImportReport,
  type ImportSourcesOptions,
  importSources,
  sourceNameProblem,
  syncSources,
  uploadedPath,
} from "@loredex/import";
import { importTarget } from "../operator/import-target.ts";
import type { Operator } from "../operator/operator.ts";
import { FileReports } from "./file-reports.ts";
import type { JobProgress, Jobs } from "./jobs.ts";
import { checkFileName, receive } from "./uploads.ts";

/** The source of uploads and addresses that name none. */
const SOURCE_DEFAULT = "console";

/** Dependencies of {@link ImportJobs}. */
export interface ImportJobsDeps {
  readonly operator: Operator;
  readonly jobs: Jobs;
  /** Whether addresses of private networks may be imported, those of this machine included. */
  readonly privateAddresses: boolean;
}

/** Imports that a request begins: of an uploaded file, of addresses, and of a source again. */
export class ImportJobs {
  readonly #deps: ImportJobsDeps;

  constructor(deps: ImportJobsDeps) {
    this.#deps = deps;
  }

  /** Takes a file, and begins its import. A file of the same name and source is replaced. @throws the error of `bytes`, ValidationError */
  async upload(
    bot: string,
    {
      name,
      source = SOURCE_DEFAULT,
      bytes,
    }: { readonly name: string; readonly source?: string; readonly bytes: AsyncIterable<Uint8Array> },
  ): Promise<AdminJob> {
    const { jobs } = this.#deps;
    checkFileName(name);
    checkSource(source);
    jobs.requirePlace();
    const { path, remove } = await receive(name, bytes);
    try {
      return jobs.begin(bot, {
        kind: "upload",
        cleanUp: remove,
        work: async (told, signal) => {
          const leave = (): Promise<void> => this.#leavePlace(bot, source, path);
          const report = await this.#imported(bot, path, { source, signal }, told).catch(async (error: unknown) => {
            // The error of the import is the one to tell.
            await leave().catch(() => undefined);
            throw error;
          });
          await leave();
          const reports = new FileReports();
          reports.add(report, path, { nameOf: (place) => (place === path ? name : place) });
          return reports.all;
        },
      });
    } catch (error) {
      await remove();
      throw error;
    }
  }

  /** Begins an import of pages. @throws ValidationError */
  async importAddresses(
    bot: string,
    { addresses, source = SOURCE_DEFAULT }: { readonly addresses: readonly string[]; readonly source?: string },
  ): Promise<AdminJob> {
    checkSource(source);
    checkAddresses(addresses);
    return this.#deps.jobs.begin(bot, {
      kind: "import",
      work: async (told, signal) => {
        const reports = new FileReports();
        // One after the other, so that each address has its own numbers.
        let isIn = 0;
        for (const address of addresses) {
          const before = isIn;
          const telling: JobProgress = ({ done, ...others }) => {
            if (done !== undefined) isIn = before + done;
            told({ done: isIn, ...others });
          };
          reports.add(await this.#imported(bot, address, { source, signal }, telling), address);
          // What was imported stays if a later address fails, and so does its report.
          told({ done: isIn, report: reports.all });
        }
        return reports.all;
      },
    });
  }

  /** Begins an import of a source from where it lies. @throws LoredexError `SOURCE_NOT_FOUND` */
  async sync(bot: string, source: string): Promise<AdminJob> {
    const { operator, jobs } = this.#deps;
    await this.#require(bot, source);
    return jobs.begin(bot, {
      kind: "sync",
      work: async (told, signal) => {
        const { machine } = this.#network();
        const [synced] = await syncSources(importTarget(operator, bot), {
          source,
          signal,
          machine,
          onProgress: (done) => told({ done }),
        });
        if (synced?.report === undefined)
          throw new LoredexError("VALIDATION", `The source was not synced: ${synced?.why ?? "it is gone"}.`);
        const { notSynced } = synced.report;
        const note = notSynced.length > 0 ? "Nothing was removed, since not everything could be read." : "";
        const reports = new FileReports();
        reports.add(synced.report, source, { note });
        return reports.all;
      },
    });
  }

  async #imported(
    bot: string,
    path: string,
    options: Pick<ImportSourcesOptions, "source" | "signal">,
    told: JobProgress,
  ): Promise<ImportReport> {
    return importSources(importTarget(this.#deps.operator, bot), [path], {
      ...options,
      ...this.#network(),
      onProgress: (done) => told({ done }),
      onWait: (message) => told({ message }),
    });
  }

  #network(): { readonly machine: { readonly publicOnly: boolean } } {
    return { machine: { publicOnly: !this.#deps.privateAddresses } };
  }

  /** Replaces the path of the temporary file in the source: the file is gone when the job ends, and the next upload of this name is the same file. */
  async #leavePlace(bot: string, source: string, path: string): Promise<void> {
    const { operator } = this.#deps;
    const sources = await operator.listSources(bot);
    const argument = sources.find(({ name }) => name === source)?.arguments.find((one) => one.path === path);
    if (argument === undefined) return;
    const { name, kind, ids, settings } = argument;
    const place = {
      name,
      kind,
      ids,
      path: uploadedPath(basename(path)),
      ...(settings === undefined ? {} : { settings }),
    };
    await operator.putSourceArgument(bot, source, place, {});
  }

  async #require(bot: string, source: string): Promise<SourceInfo> {
    const found = (await this.#deps.operator.listSources(bot)).find(({ name }) => name === source);
    if (found === undefined) throw new LoredexError("SOURCE_NOT_FOUND", `There is no source ${source}.`);
    return found;
  }
}

/** @throws ValidationError for the field `source` */
function checkSource(source: string): void {
  const message = source.isWellFormed() ? sourceNameProblem(source) : "source must be well-formed Unicode";
  if (message !== undefined) throw new ValidationError([{ field: "source", type: "sourceName", message }]);
}

/** @throws ValidationError for the field `addresses`. A path of the server's disk is no address. */
function checkAddresses(addresses: readonly string[]): void {
  if (addresses.length === 0 || addresses.length > ADMIN_ADDRESSES_MAX) {
    const message = `addresses must be a list of 1 to ${ADMIN_ADDRESSES_MAX} addresses`;
    throw new ValidationError([{ field: "addresses", type: "maxItems", message }]);
  }
  const wrong = addresses.flatMap((address, i) =>
    isWebAddress(address)
      ? []
      : [
          {
            field: `addresses.${i}`,
            type: "url",
            message: `addresses.${i} must be an address that begins with http:// or https://`,
          },
        ],
  );
  if (wrong.length > 0) throw new ValidationError(wrong);
}

function isWebAddress(address: string): boolean {
  return address.length <= ADMIN_ADDRESS_CHARACTERS_MAX && /^https?:\/\//i.test(address) && URL.canParse(address);
}
