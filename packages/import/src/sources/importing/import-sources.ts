import {
  type ArgumentPlace,
  type DocumentOrigin,
  LoredexError,
  NAME_CHARACTERS_MAX,
  SOURCE_PROBLEMS_MAX,
  type SourceInfo,
  ValidationError,
} from "@loredex/core";
import { reasonOf } from "../../files/user-files.ts";
import { FileContents, idOf } from "../belonging/file-contents.ts";
import { type KnownDocument, KnownFiles } from "../belonging/known-files.ts";
import { noteOfLeftFiles, refuseIfRenamed } from "../belonging/left-place.ts";
import { isAlike } from "../belonging/likeness.ts";
import { type FoundFile, type Placement, Placing } from "../belonging/placing.ts";
import { type PlannedTarget, planned, refuseIfMoved } from "../belonging/plan.ts";
import { GLOB, isJsonLines, keyOfTarget, STDIN, type Target, targetOf } from "../belonging/target.ts";
import { Addresses, requireAddressOptions, type WebMachine } from "../reading/addresses.ts";
import { Conversions } from "../reading/conversions.ts";
import { isolationOf } from "../reading/isolation-options.ts";
import type { FoundDocument, SourceItem } from "../reading/read-file.ts";
import { type Reading, readSource } from "../reading/read-source.ts";
import { type KeptOptions, settingsOf, withoutAddressOptions } from "../reading/settings.ts";
import { ArgumentInBot } from "./argument-in-bot.ts";
import type { ImportTarget } from "./import-target.ts";
import { InFlight } from "./in-flight.ts";
import { NOT_WHOLE, syncRefusal } from "./sync-refusal.ts";
import { type ImportProblem, Tally } from "./tally.ts";

const IN_FLIGHT = { countMax: 32, bytesMax: 64 * 1_048_576 };

/** A report keeps this many problems; all are told while they happen, and counted. */
const PROBLEMS_KEPT_MAX = 1_000;

export interface ImportReport {
  /** Names of the sources that own what was brought, as the arguments name them. */
  readonly sources: readonly string[];
  /** Documents that were new. */
  readonly added: number;
  readonly changed: number;
  readonly unchanged: number;
  /** By `sync`: documents that the same argument brought before and no longer holds. */
  readonly removed: number;
  /** Files of other kinds in folders, and links of pages that lead to nothing that is imported. */
  readonly passedOver: number;
  /** Files that say that they are drafts, and stay out. */
  readonly drafts: number;
  /** Lines, files, folders and documents that could not be taken. */
  readonly failed: number;
  /** What was wrong with them: the first 1,000. */
  readonly problems: readonly ImportProblem[];
  /** Arguments for which `sync` removed nothing, for they were not read whole, or it is not sure what they had brought. */
  readonly notSynced: readonly string[];
  /** What else an operator wants to know, a line each: why nothing was removed, what was taken over, what of a file could not be taken. */
  readonly notes: readonly string[];
}

export interface ImportSourcesOptions extends KeptOptions {
  /** Name of the source that owns what is brought; default: each argument is its own, named by its real path. */
  readonly source?: string;
  /** Remove what an argument brought before and no longer holds; nothing is removed for one that was not read whole. Default false. */
  readonly sync?: boolean;
  /**
   * Nobody is there to see what `sync` removes: nothing where an argument brings nothing any more, as a folder whose disk is not there, or where more
   * than ten documents are gone and fewer are left. Default false.
   */
  readonly unattended?: boolean;
  /** What the path `-` stands for: the bytes of one file, or lines of .jsonl. It needs `source`. */
  readonly stdin?: AsyncIterable<Uint8Array>;
  /** Told after each document how many are durable, and how many files or pages were begun. */
  readonly onProgress?: (done: number, files: number) => void;
  readonly onProblem?: (problem: ImportProblem) => void;
  /** What addresses are read with: time, and how names become addresses of machines. Default: those of this machine. */
  readonly machine?: WebMachine;
  /** What the bot is called in what a refusal says to do. Default BOT. */
  readonly botName?: string;
}

/**
 * Imports files, folders and addresses into a bot. A bad line or file is reported, and the rest goes in. What it brought is durable
 * when it resolves, and searchable some time later.
 * @throws LoredexError what keeps any document from going in, for example `DISK_FULL`, or a folder that is not where it
 * was: then nothing was changed
 */
export async function importSources(
  bot: ImportTarget,
  paths: readonly string[],
  options: ImportSourcesOptions = {},
): Promise<ImportReport> {
  const { source, botName = "BOT" } = options;
  requireAddressOptions(options);
  const badName = source === undefined ? undefined : sourceNameProblem(source);
  if (badName !== undefined) {
    throw new ValidationError([{ message: badName, field: "source", type: "sourceName" }]);
  }
  const isolation = isolationOf(options);
  const targets = new Map<string, Target | string>();
  for (const path of paths) {
    const isNameless = path === STDIN && source === undefined;
    targets.set(path, isNameless ? NAMELESS : await targetOr(path));
  }
  const found = [...targets.values()].filter((target) => typeof target !== "string");
  const sources = await bot.listSources();
  const known = new KnownFiles(sources, (names) => bot.ownedDocuments(names));
  await known.learn();
  const looksAlike = (target: Target, argument: ArgumentPlace): Promise<boolean> =>
    isAlike(target, argument, { source: source ?? "", files: known });
  const plans = await planned(once(found), { sources, name: source, isAlike: looksAlike });
  for (const plan of plans) {
    // A file that another argument has brought stays with that.
    if (known.at(plan.target.real).length === 0) await refuseIfMoved(plan, sources, botName);
    await refuseIfRenamed(plan, sources, { known, bot: botName });
  }
  const left = await noteOfLeftFiles(plans, sources, { known, bot: botName });
  const conversions = new Conversions(isolation);
  const running = new Import(bot, options, { known, sources, conversions });
  try {
    for (const [path, target] of targets) {
      const plan = plans.find((one) => one.target === target);
      if (typeof target === "string") running.miss(path, target);
      else if (plan !== undefined) await running.take(plan);
    }
    await running.end();
  } finally {
    await conversions.close();
  }
  if (left !== undefined) running.note(left);
  return running.report();
}

/** What keeps a text from being a source's name: one cannot be taken for a path or an address, nor its documents for those of another. */
export function sourceNameProblem(name: string): string | undefined {
  const isPlain = !/[/\\\p{Cc}]/u.test(name) && !name.startsWith("file:") && name !== "." && name !== "..";
  if (name.trim() !== "" && isPlain && name.length <= NAME_CHARACTERS_MAX) return undefined;
  return `a source's name has 1 to ${NAME_CHARACTERS_MAX} characters without slashes, and does not begin with "file:"; "${name}" is none`;
}

const NAMELESS = "what comes by the standard input has no path; say with --source NAME whose it is";

async function targetOr(path: string): Promise<Target | string> {
  try {
    return await targetOf(path);
  } catch (error) {
    return reasonOf(error);
  }
}

/** The first of those that are at the same real path: the same named twice is one. */
function once(targets: readonly Target[]): Target[] {
  return [...new Map([...targets].reverse().map((target) => [keyOfTarget(target), target])).values()].reverse();
}

class Import {
  readonly #bot: ImportTarget;
  readonly #options: ImportSourcesOptions;
  readonly #known: KnownFiles;
  readonly #sources: readonly SourceInfo[];
  readonly #addresses: Addresses;
  readonly #placing: Placing;
  readonly #tally = new Tally(PROBLEMS_KEPT_MAX);
  readonly #notSynced: string[] = [];
  readonly #notes: string[] = [];
  readonly #inFlight = new InFlight(IN_FLIGHT);
  readonly #contents = new FileContents();
  /** What is left to do when all arguments have been read, in their order. */
  readonly #ends: (() => Promise<void>)[] = [];
  /** Sources that were not read whole: what one argument of theirs lacks may be in what was not read of another. */
  readonly #inPart = new Set<string>();
  readonly #owners = new Set<string>();
  readonly #conversions: Conversions;
  #passedOver = 0;
  #drafts = 0;
  #files = 0;
  /** What keeps all documents from going in. */
  #failure: { readonly error: unknown } | undefined;

  constructor(
    bot: ImportTarget,
    options: ImportSourcesOptions,
    {
      known,
      sources,
      conversions,
    }: {
      readonly known: KnownFiles;
      readonly sources: readonly SourceInfo[];
      readonly conversions: Conversions;
    },
  ) {
    this.#conversions = conversions;
    this.#bot = bot;
    this.#options = options;
    this.#known = known;
    this.#sources = sources;
    this.#addresses = new Addresses(options, options.machine ?? {}, (file) =>
      this.#conversions.convert(options.type === undefined ? file : { ...file, type: options.type }),
    );
    this.#placing = new Placing(known, { isNamed: options.source !== undefined });
  }

  async take(plan: PlannedTarget): Promise<void> {
    const tally = new Tally(SOURCE_PROBLEMS_MAX, this.#tally);
    this.#owners.add(plan.source);
    const settings = this.#settingsFor(plan);
    const argument = new ArgumentInBot(this.#bot, plan, {
      ...settingsOf(settings),
      ...(plan.target.glob === undefined ? {} : { [GLOB]: plan.target.glob.pattern }),
    });
    const place = async (file: FoundFile): Promise<Placement> => {
      this.#files += 1;
      const placement = this.#placing.place(plan, file);
      if (placement.kind === "placed" && placement.origin.source === plan.source) await argument.tell();
      return placement;
    };
    try {
      for await (const item of this.#items(plan, settings, place)) {
        if (item.kind === "problem") {
          this.#placing.unread(item.file ?? item.place);
          this.#refuse(item, tally);
        } else if (item.kind === "passedOver") this.#passedOver += 1;
        else if (item.kind === "draft") this.#drafts += 1;
        else if (item.kind === "unchanged") this.#keep(item, tally);
        else if (item.kind === "note") this.note(`${item.place}: ${item.message}`);
        else await this.#bring(item, plan, tally);
        if (this.#failure !== undefined) break;
      }
    } catch (error) {
      this.#failure ??= { error };
    }
    await this.#settled();
    const left = await argument.leftToFormer();
    if (left !== undefined) this.#notes.push(left);
    const isWhole = tally.failures === 0;
    if (!isWhole) this.#inPart.add(plan.source);
    this.#ends.push(async () => {
      if (this.#options.sync === true) await this.#sync(plan, isWhole, tally);
      await argument.tellEnd(tally.report());
    });
  }

  #items(
    { target, source, place: own }: PlannedTarget,
    settings: KeptOptions,
    place: Reading["place"],
  ): AsyncGenerator<SourceItem> {
    const { type = "DOCUMENT", sync = false, drafts = false, kind, stdin } = this.#options;
    if (target.kind !== "address") {
      const convert = this.#conversions.convert.bind(this.#conversions);
      const knownAt = (real: string): readonly KnownDocument[] => this.#known.at(real);
      const given = { ...(kind === undefined ? {} : { kind }), ...(stdin === undefined ? {} : { stdin }) };
      const { parallel: ahead } = this.#conversions;
      return readSource(target, { type, drafts, ...given, convert, knownAt, place, ahead });
    }
    const isKnown = (address: string): boolean => this.#known.at(address).length > 0;
    const hasBrought = this.#known.of(source).some(({ argument }) => argument === own.name);
    return this.#addresses.read(target, settings, { place, isKnown, hasBrought, sync, drafts });
  }

  /** How an argument is imported: an address as it was before, where nothing else is said. */
  #settingsFor({ target, source, place }: PlannedTarget): KeptOptions {
    if (target.kind !== "address") return withoutAddressOptions(this.#options);
    const known = this.#sources.find(({ name }) => name === source)?.arguments.find(({ name }) => name === place.name);
    return this.#addresses.settings(known?.settings);
  }

  /** When all arguments have been read: what has gone from one of them may have come with another. */
  async end(): Promise<void> {
    for (const end of this.#ends) await end();
  }

  report(): ImportReport {
    const { problems, ...counts } = this.#tally.report();
    const lists = { problems, notSynced: this.#notSynced, notes: this.#notes };
    const sources = [...this.#owners];
    return { sources, ...counts, passedOver: this.#passedOver, drafts: this.#drafts, ...lists };
  }

  note(line: string): void {
    this.#notes.push(line);
  }

  /** An argument that cannot be read at all. */
  miss(argument: string, message: string): void {
    this.#refuse({ place: argument, message });
    const { source, sync = false } = this.#options;
    if (source !== undefined) this.#inPart.add(source);
    this.#ends.push(async () => {
      if (sync) this.#notSync(argument, NOT_WHOLE);
    });
  }

  /** Documents that need not be brought again. */
  #keep({ ids, file }: { readonly ids: readonly string[]; readonly file: string }, tally: Tally): void {
    for (const id of ids) {
      this.#placing.claim(id, file);
      tally.brought("unchanged");
    }
    this.#options.onProgress?.(this.#tally.documentsIn, this.#files);
  }

  /** A part of an argument that cannot be taken. */
  #refuse({ place, message }: ImportProblem, tally = this.#tally): void {
    tally.failed({ place, message });
    this.#options.onProblem?.({ place, message });
  }

  async #bring(item: FoundDocument, plan: PlannedTarget, tally: Tally): Promise<void> {
    const id = idOf(item.document);
    const origin = id === undefined ? item.origin : await this.#ownOrigin(id, item, plan);
    const refusal = typeof origin === "string" || id === undefined ? origin : this.#placing.claim(id, item.file);
    if (typeof refusal === "string") this.#refuse({ place: item.place, message: refusal }, tally);
    else if (typeof origin !== "string") {
      await this.#inFlight.start(id, item.bytes, () => this.#put({ ...item, origin }, tally));
    }
  }

  /** What brings a document that another argument of the same source brought before; or why it may not be brought. */
  async #ownOrigin(id: string, { file, origin }: FoundDocument, plan: PlannedTarget): Promise<DocumentOrigin | string> {
    const owned = this.#known.withId(origin.source, id);
    const before = owned === undefined ? undefined : this.#known.fileOf(owned);
    const isOwn = owned?.argument === origin.argument && !plan.isAmbiguous;
    if (owned === undefined || before === undefined || before === file || isOwn) return origin;
    const { id: _, ...owner } = owned;
    const there = await this.#contents.of(before, id);
    if (there === undefined) return plan.isAmbiguous ? owner : origin;
    if (there === (await this.#contents.of(file, id))) return owner;
    const way = isJsonLines(file) ? "give it another id" : "import it with a name of its own (--source NAME)";
    return `the document ${id} of the source ${JSON.stringify(origin.source)} is that of ${before}, which still holds it. If this is another one, ${way}; if it takes that one's place, delete that one first`;
  }

  async #put({ document, place, origin }: FoundDocument, tally: Tally): Promise<void> {
    try {
      tally.brought(await this.#bot.importDocument(document, { source: origin }));
      this.#options.onProgress?.(this.#tally.documentsIn, this.#files);
    } catch (error) {
      if (error instanceof LoredexError && error.code === "VALIDATION") {
        this.#refuse({ place, message: error.message }, tally);
      } else this.#failure ??= { error };
    }
  }

  /** Removes what the argument had brought before this import began, and no file of the import holds. */
  async #sync(plan: PlannedTarget, isWhole: boolean, tally: Tally): Promise<void> {
    const { target, source, place } = plan;
    const gone = this.#known
      .of(source)
      .filter((document) => document.argument === place.name && !this.#placing.holds(document));
    const why = syncRefusal(plan, {
      isWhole,
      isSourceWhole: !this.#inPart.has(source),
      documents: tally.documentsIn,
      gone: gone.length,
      isUnattended: this.#options.unattended === true,
    });
    if (why !== undefined) return this.#notSync(target.given, why);
    for (const { id, argument } of gone) {
      const by = argument === undefined ? { source } : { source, argument };
      await this.#inFlight.start(id, 0, () => this.#remove(id, by, tally));
      if (this.#failure !== undefined) break;
    }
    await this.#settled();
  }

  #notSync(argument: string, why: string): void {
    this.#notSynced.push(argument);
    this.#notes.push(`${argument}: nothing was removed, since ${why}`);
  }

  async #remove(id: string, by: DocumentOrigin, tally: Tally): Promise<void> {
    try {
      await this.#bot.removeDocument(id, { source: by });
      tally.removed();
    } catch (error) {
      // Somebody else was faster.
      if (!(error instanceof LoredexError && error.code === "DOCUMENT_NOT_FOUND")) this.#failure ??= { error };
    }
  }

  async #settled(): Promise<void> {
    await this.#inFlight.whenEmpty();
    if (this.#failure !== undefined) throw this.#failure.error;
  }
}
