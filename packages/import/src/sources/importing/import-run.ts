import {
  type DocumentOrigin,
  LoredexError,
  type OwnedDocument,
  SOURCE_NOTES_MAX,
  SOURCE_PROBLEMS_MAX,
  type SourceArgument,
  type SourceInfo,
} from "@loredex/core";
import { reasonOf } from "../../files/user-files.ts";
import { untilStopped } from "../../stopping.ts";
import type { Changes, KnownDocument } from "../belonging/brought-files.ts";
import { FileContents, idOf } from "../belonging/file-contents.ts";
import type { KnownFiles } from "../belonging/known-files.ts";
import { type FoundFile, type Placement, Placing } from "../belonging/placing.ts";
import type { PlannedTarget } from "../belonging/plan.ts";
import { GLOB, isJsonLines } from "../belonging/target.ts";
import { Addresses } from "../reading/addresses.ts";
import { type Conversions, ConversionsWithin } from "../reading/conversions.ts";
import { isolationOf } from "../reading/isolation-options.ts";
import type { FoundDocument, SourceItem } from "../reading/read-file.ts";
import { type Reading, readSource } from "../reading/read-source.ts";
import { type KeptOptions, optionsOf, settingsOf, withoutAddressOptions } from "../reading/settings.ts";
import { ArgumentInBot } from "./argument-in-bot.ts";
import { FileNotes } from "./file-notes.ts";
import type { ImportReport, SharedOptions } from "./import-options.ts";
import type { ImportTarget } from "./import-target.ts";
import { InFlight } from "./in-flight.ts";
import { LinkedOut } from "./linked-out.ts";
import { PassedOver } from "./passed-over.ts";
import { ReportNotes } from "./report-notes.ts";
import { NOT_WHOLE, syncRefusal } from "./sync-refusal.ts";
import { type ImportProblem, Tally } from "./tally.ts";

const IN_FLIGHT = { countMax: 32, bytesMax: 64 * 1_048_576 };

/** Maximum problems kept in a report. All are reported while they happen, and counted. */
const PROBLEMS_KEPT_MAX = 1_000;

/** How one argument is read. */
interface ArgumentReading {
  readonly settings: KeptOptions;
  readonly place: Reading["place"];
  readonly conversions: Conversions;
  readonly notes: FileNotes;
}

/** Dependencies of an import. */
export interface ImportDeps {
  readonly known: KnownFiles;
  readonly sources: readonly SourceInfo[];
  /** True if the known files are used after this import: then it reports its changes. */
  readonly isShared: boolean;
}

/** One import: takes its arguments one after the other, and removes missing documents when all have been read. */
export class ImportRun {
  readonly #bot: ImportTarget;
  readonly #options: SharedOptions;
  readonly #known: KnownFiles;
  readonly #sources: readonly SourceInfo[];
  readonly #addresses: Addresses;
  readonly #placing: Placing;
  readonly #tally = new Tally(PROBLEMS_KEPT_MAX);
  readonly #notSynced: string[] = [];
  readonly #notes = new ReportNotes();
  readonly #inFlight = new InFlight(IN_FLIGHT);
  readonly #contents = new FileContents();
  /** The final steps of the arguments, in their order. */
  readonly #ends: (() => Promise<void>)[] = [];
  /** Sources that were not fully read: documents that one argument lacks may be in unread files of another. */
  readonly #inPart = new Set<string>();
  readonly #owners = new Set<string>();
  readonly #conversions = new ConversionsWithin();
  /** Brought and removed documents, for later users of the known files. */
  readonly #changes: Changes | undefined;
  readonly #passedOver = new PassedOver();
  #drafts = 0;
  #files = 0;
  /** The error that keeps all documents out. */
  #failure: { readonly error: unknown } | undefined;

  constructor(bot: ImportTarget, options: SharedOptions, { known, sources, isShared }: ImportDeps) {
    this.#bot = bot;
    this.#options = options;
    this.#known = known;
    this.#sources = sources;
    this.#changes = isShared ? { brought: [], removed: [] } : undefined;
    this.#addresses = new Addresses(options.machine ?? {}, options.signal);
    this.#placing = new Placing(known, { isNamed: options.source !== undefined });
  }

  /** @param asked the options for this argument */
  async take(plan: PlannedTarget, asked: KeptOptions): Promise<void> {
    const tally = new Tally(SOURCE_PROBLEMS_MAX, this.#tally);
    this.#owners.add(plan.source);
    const settings = this.#settingsFor(plan, asked);
    const argument = new ArgumentInBot(this.#bot, plan, {
      ...settingsOf(settings),
      ...(plan.target.glob === undefined ? {} : { [GLOB]: plan.target.glob.pattern }),
    });
    const place = async (file: FoundFile): Promise<Placement> => {
      this.#files += 1;
      const placement = this.#placing.place(plan, file);
      if (placement.kind === "placed" && placement.origin.source === plan.source) {
        await this.#ofBot(() => argument.tell());
      }
      return placement;
    };
    const linkedOut = new LinkedOut();
    const notes = new FileNotes(this.#argumentBefore(plan)?.report?.notes);
    // Other imports that share the known files may bring and remove documents meanwhile.
    const before = this.#known.of(plan.source);
    let drafts = 0;
    try {
      const conversions = await this.#conversions.within(isolationOf(settings));
      const items = this.#items(plan, { settings, place, conversions, notes });
      for await (const item of untilStopped(items, this.#options.signal)) {
        if (item.kind === "problem") {
          this.#placing.unread(item.file ?? item.place);
          this.#refuse(item, tally);
        } else if (item.kind === "passedOver") this.#passedOver.add(item);
        else if (item.kind === "linkedOut") {
          this.#passedOver.add({ why: "elsewhere" });
          linkedOut.add(item.place, this.#placing.keep(plan, item.file));
        } else if (item.kind === "draft") drafts += 1;
        else if (item.kind === "unchanged") {
          notes.unchanged(item.file, item.notes);
          this.#keep(item, tally);
        } else if (item.kind === "note") {
          const isNew = item.file === undefined || notes.add(item.file, item.message);
          if (isNew) this.#notes.addFound(`${item.place}: ${item.message}`);
        } else await this.#bring(item, plan, tally);
        if (this.#failure !== undefined) break;
      }
    } catch (error) {
      if (this.#options.signal?.aborted === true) this.#failure ??= { error };
      // An error of one argument keeps no other from being imported.
      if (this.#failure === undefined) this.#refuse({ place: plan.target.given, message: unread(error) }, tally);
    }
    await this.#settled();
    this.#drafts += drafts;
    if (notes.again > 0) this.note(saidBefore(plan.target.given, notes.again, this.#options.botName ?? "BOT"));
    const outside = linkedOut.told();
    if (outside !== undefined) this.note(`${plan.target.given}: ${outside}`);
    const left = await argument.leftToFormer();
    if (left !== undefined) this.note(left);
    const isWhole = tally.failures === 0;
    if (!isWhole) this.#inPart.add(plan.source);
    this.#ends.push(async () => {
      if (this.#options.sync === true) await this.#sync(plan, { isWhole, drafts, before }, tally);
      await argument.tellEnd({ ...tally.report(), notes: notes.all });
    });
  }

  #items(
    { target, source, place: own }: PlannedTarget,
    { settings, place, conversions, notes }: ArgumentReading,
  ): AsyncGenerator<SourceItem> {
    const { sync = false, stdin } = this.#options;
    const { type, drafts = false, kind, encoding } = settings;
    if (target.kind !== "address") {
      const convert = conversions.convert.bind(conversions);
      const knownAt = (real: string): readonly KnownDocument[] => this.#known.at(real);
      const isSaid = notes.isSaid.bind(notes);
      const given = {
        isSaid,
        ...(kind === undefined ? {} : { kind }),
        ...(stdin === undefined ? {} : { stdin }),
        ...(encoding === undefined ? {} : { encoding }),
      };
      const { parallel: ahead } = conversions;
      return readSource(target, { type: type ?? "DOCUMENT", drafts, ...given, convert, knownAt, place, ahead });
    }
    const isKnown = (address: string): boolean => this.#known.at(address).length > 0;
    const before = this.#known.of(source).filter(({ argument }) => argument === own.name);
    const hasOthers = (page: string): boolean => before.some((document) => this.#known.fileOf(document) !== page);
    const told = { isKnown, hasBrought: before.length > 0, hasOthers };
    return this.#addresses.read(target, settings, { place, ...told, sync, drafts, conversions });
  }

  /** Returns the options of an argument. An address keeps those of its last import, unless others are given. */
  #settingsFor(plan: PlannedTarget, asked: KeptOptions): KeptOptions {
    if (plan.target.kind !== "address") return withoutAddressOptions(asked);
    return { ...optionsOf(this.#argumentBefore(plan)?.settings), ...optionsOf(settingsOf(asked)) };
  }

  /** The argument in the bot, from the import before. */
  #argumentBefore({ source, place }: PlannedTarget): SourceArgument | undefined {
    return this.#sources.find(({ name }) => name === source)?.arguments.find(({ name }) => name === place.name);
  }

  /** Runs the final steps after all arguments: a document missing from one may have come with another. */
  async end(): Promise<void> {
    for (const end of this.#ends) {
      this.#options.signal?.throwIfAborted();
      await end();
    }
  }

  /** Ends the processes. */
  close(): Promise<void> {
    return this.#conversions.close();
  }

  /** Adds the changes of this import to the known files. */
  tellKnown(): void {
    if (this.#changes !== undefined) this.#known.change(this.#changes);
  }

  report(): ImportReport {
    const { problems, ...counts } = this.#tally.report();
    const lists = { problems, notSynced: this.#notSynced, notes: this.#notes.all };
    const sources = [...this.#owners];
    return { sources, ...counts, ...this.#passedOver.report(), drafts: this.#drafts, ...lists };
  }

  note(line: string): void {
    this.#notes.add(line);
  }

  /** Records an argument that cannot be read at all. */
  miss(argument: string, message: string): void {
    this.#refuse({ place: argument, message });
    const { source, sync = false } = this.#options;
    if (source !== undefined) this.#inPart.add(source);
    this.#ends.push(async () => {
      if (sync) this.#notSync(argument, NOT_WHOLE);
    });
  }

  /** Counts documents that need not be imported again. */
  #keep({ ids, file }: { readonly ids: readonly string[]; readonly file: string }, tally: Tally): void {
    for (const id of ids) {
      this.#placing.claim(id, file);
      tally.brought("unchanged");
    }
    this.#options.onProgress?.(this.#tally.documentsIn, this.#files);
  }

  /** Records a part of an argument that cannot be imported. */
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

  /** Returns the origin of a document that another argument of the same source brought before, or why it may not be imported. */
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
      const id = idOf(document);
      if (id !== undefined) this.#changes?.brought.push({ id, ...origin });
      this.#options.onProgress?.(this.#tally.documentsIn, this.#files);
    } catch (error) {
      if (isRefusal(error)) this.#refuse({ place, message: reasonOf(error) }, tally);
      else this.#failure ??= { error };
    }
  }

  /** Removes documents that the argument had before this import began, and that no file of the import holds. */
  async #sync(
    plan: PlannedTarget,
    {
      isWhole,
      drafts,
      before,
    }: { readonly isWhole: boolean; readonly drafts: number; readonly before: readonly OwnedDocument[] },
    tally: Tally,
  ): Promise<void> {
    const { target, source, place } = plan;
    const gone = before.filter((document) => document.argument === place.name && !this.#placing.holds(document));
    const why = syncRefusal(plan, {
      isWhole,
      isSourceWhole: !this.#inPart.has(source),
      there: tally.documentsIn + drafts,
      gone: gone.length,
      isUnattended: this.#options.unattended === true,
    });
    if (why !== undefined) return this.#notSync(target.given, why);
    for (const document of gone) {
      const { id, argument } = document;
      const by = argument === undefined ? { source } : { source, argument };
      if (this.#options.signal?.aborted === true) this.#failure ??= { error: this.#options.signal.reason };
      if (this.#failure !== undefined) break;
      await this.#inFlight.start(id, 0, () => this.#remove(document, by, tally));
    }
    await this.#settled();
  }

  #notSync(argument: string, why: string): void {
    this.#notSynced.push(argument);
    this.note(`${argument}: nothing was removed, since ${why}`);
  }

  async #remove(document: OwnedDocument, by: DocumentOrigin, tally: Tally): Promise<void> {
    try {
      await this.#bot.removeDocument(document.id, { source: by });
      this.#changes?.removed.push(document);
      tally.removed();
    } catch (error) {
      // Another program has removed it already.
      if (!(error instanceof LoredexError && error.code === "DOCUMENT_NOT_FOUND")) this.#failure ??= { error };
    }
  }

  /** Calls the bot. An error keeps all documents out, unless it is about the call itself. */
  async #ofBot(ask: () => Promise<void>): Promise<void> {
    try {
      await ask();
    } catch (error) {
      if (!isRefusal(error)) this.#failure ??= { error };
      throw error;
    }
  }

  async #settled(): Promise<void> {
    await this.#inFlight.whenEmpty();
    if (this.#failure !== undefined) throw this.#failure.error;
  }
}

/** True if the bot refuses only this document or this call. */
function isRefusal(error: unknown): boolean {
  return error instanceof LoredexError && (error.code === "VALIDATION" || error.code === "IMPORT_BYTES_EXCEEDED");
}

function unread(error: unknown): string {
  return `it could not be read to its end: ${reasonOf(error)}`;
}

function saidBefore(argument: string, notes: number, bot: string): string {
  const what = notes === 1 ? "one note on a file" : `${notes} notes on files`;
  const words = notes > SOURCE_NOTES_MAX ? `the words of the first ${SOURCE_NOTES_MAX}` : "the words";
  return `${argument}: ${what} as before ("loredex source list ${bot} --json" has ${words})`;
}
