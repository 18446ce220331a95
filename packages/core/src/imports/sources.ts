import { ownedIn, sourcesIn } from "../log/listings.ts";
import type { StoredSource } from "../log/source-table.ts";
import type { BotState } from "../log/state.ts";
import { LoredexError, ValidationError } from "../model/errors.ts";
import { SOURCE_ARGUMENTS_MAX, SOURCE_NAME_CHARACTERS_MAX, SOURCES_MAX } from "../model/limits.ts";
import type { RecordOf } from "../model/records.ts";
import type { ArgumentOptions, ArgumentPlace, DocumentOrigin, OwnedDocument, SourceInfo } from "../model/sources.ts";
import { requireText } from "../model/validation.ts";
import type { Clock } from "../platform/clock.ts";
import type { TimeSlices } from "../scheduling/time-slices.ts";
import { argumentPlace, argumentReport } from "./argument-shape.ts";
import { sourceName } from "./origin-shape.ts";

type SourceRecord = RecordOf<"sourceArgument" | "sourceMove" | "sourceRemove">;

/** Dependencies of {@link Sources}. */
export interface SourcesDeps {
  readonly state: BotState;
  /** The write path. */
  readonly ingest: {
    changeSources(decide: () => SourceRecord): Promise<void>;
    removeDocument(id: string, by: DocumentOrigin): Promise<void>;
  };
  /** Resolves when a write may begin. */
  readonly ready: () => Promise<void>;
  /** The time slices in which long lists are made. */
  readonly slices: TimeSlices;
  readonly clock: Clock;
}

/** Documents of a source that are removed at the same time. */
const REMOVALS_AT_ONCE = 64;

/** The sources of an open bot: where its imported documents come from. */
export class Sources {
  readonly #deps: SourcesDeps;

  constructor(deps: SourcesDeps) {
    this.#deps = deps;
  }

  list(): SourceInfo[] {
    return sourcesIn(this.#deps.state);
  }

  /** The documents of the sources with these names, in no order. */
  async owned(names: readonly string[]): Promise<readonly OwnedDocument[]> {
    if (names.length > SOURCES_MAX) {
      const message = `sources must have at most ${SOURCES_MAX} names; ask for some at a time`;
      throw new ValidationError([{ field: "sources", type: "maxItems", message }]);
    }
    for (const name of names) requireText("sources", name, { max: SOURCE_NAME_CHARACTERS_MAX });
    return this.#deps.slices.run(ownedIn(this.#deps.state, names));
  }

  /** Adds or updates an argument of a source. The source is created if it does not exist. @throws ValidationError, LoredexError `BOT_FULL` */
  async putArgument(name: string, given: ArgumentPlace, options: ArgumentOptions = {}): Promise<void> {
    await this.#deps.ready();
    const { state, ingest, clock } = this.#deps;
    const [source, argument] = [sourceName(name), argumentPlace(given)];
    const { imported = false, takesOver, unlessEmpty = false } = options;
    const report = argumentReport(options.report);
    await ingest.changeSources(() => {
      // Records in flight are applied first: a source that has documents by then stays.
      if (unlessEmpty === true && state.sources.isEmpty(source)) return { kind: "sourceRemove", source };
      requireCapacity(state.sources.get(source), argument);
      return {
        kind: "sourceArgument",
        source,
        argument,
        ...(imported === true ? { importedAtMs: Math.floor(clock.wallMs()) } : {}),
        ...(imported === true && report !== undefined ? { report } : {}),
        ...(typeof takesOver === "string" ? { takesOver } : {}),
      };
    });
  }

  /** Renames a source and updates one of its arguments. @throws ValidationError, LoredexError `SOURCE_NOT_FOUND`, `SOURCE_EXISTS` */
  async move(name: string, newName: string, place: ArgumentPlace): Promise<void> {
    await this.#deps.ready();
    const { state, ingest } = this.#deps;
    const [to, argument] = [sourceName(newName, "to"), argumentPlace(place)];
    // A source without documents gives up its name. That is a record of its own, so that older programs read the log the same way.
    if (to !== name && state.sources.get(to) !== undefined && state.sources.isEmpty(to)) {
      requireCapacity(this.#required(name), argument);
      await ingest.changeSources(() => ({ kind: "sourceRemove", source: to }));
    }
    await ingest.changeSources(() => {
      const source = this.#required(name);
      requireCapacity(source, argument);
      if (to !== name && state.sources.get(to) !== undefined) {
        const message = `There is a source ${to} already: it has documents of its own. Take it out first if ${name} is to have its place.`;
        throw new LoredexError("SOURCE_EXISTS", message);
      }
      return { kind: "sourceMove", source: name, to, argument };
    });
  }

  /**
   * Removes a source with its documents. Resolves with the number of documents that were removed.
   * Documents that are imported meanwhile stay, and the source with them.
   * @param removed the ids that earlier tries of the same call have removed; this one adds its own
   * @throws LoredexError `SOURCE_NOT_FOUND`
   */
  async remove(name: string, removed: Set<string> = new Set()): Promise<number> {
    await this.#deps.ready();
    if (removed.size === 0) this.#required(name);
    const owned = await this.owned([name]);
    for (let at = 0; at < owned.length; at += REMOVALS_AT_ONCE) {
      const removals = owned.slice(at, at + REMOVALS_AT_ONCE).map(({ id }) => this.#removeOne(id, name, removed));
      // The durable ones count, although another has failed.
      await Promise.allSettled(removals);
      await Promise.all(removals);
    }
    await this.#deps.ingest.changeSources(() => ({ kind: "sourceRemove", source: name }));
    return removed.size;
  }

  /** Removes a document, and adds its id to `removed` if it was there. */
  async #removeOne(id: string, source: string, removed: Set<string>): Promise<void> {
    try {
      await this.#deps.ingest.removeDocument(id, { source });
      removed.add(id);
    } catch (error) {
      // Another call has removed it already.
      if (!(error instanceof LoredexError && error.code === "DOCUMENT_NOT_FOUND")) throw error;
    }
  }

  #required(name: string): StoredSource {
    const source = this.#deps.state.sources.get(name);
    if (source !== undefined) return source;
    throw new LoredexError(
      "SOURCE_NOT_FOUND",
      `There is no source ${name}; "loredex source list" shows those that there are.`,
    );
  }
}

/** Refuses a new argument of a source that has {@link SOURCE_ARGUMENTS_MAX} already. @throws ValidationError */
function requireCapacity(source: StoredSource | undefined, { name }: ArgumentPlace): void {
  const known = source?.arguments ?? [];
  if (known.length < SOURCE_ARGUMENTS_MAX || known.some((argument) => argument.name === name)) return;
  const message = `a source may have at most ${SOURCE_ARGUMENTS_MAX} arguments; give this one a source of its own`;
  throw new ValidationError([{ message, field: "argument", type: "maxLength" }]);
}
