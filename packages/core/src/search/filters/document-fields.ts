import { must } from "../../model/must.ts";
import type { JsonValue, SearchableDocument } from "../../model/types.ts";
import { DottedPaths, type TakeValue } from "./dotted-paths.ts";
import { dottedPathOf, type FieldReader, plainReader } from "./fields.ts";

/** The fields that a request names. A field is read at most once for each document, and all dotted paths in one walk. */
export class DocumentFields {
  readonly #numbers = new Map<string, number>();
  /** By number; undefined for a dotted path. */
  readonly #readers: (FieldReader | undefined)[] = [];
  /** The numbers of dotted paths, by the number of the path. */
  readonly #dotted: number[] = [];
  readonly #values: (JsonValue | undefined)[] = [];
  /** By number: the document whose value is in {@link #values}. */
  readonly #readIn: number[] = [];
  #paths: DottedPaths | undefined;
  #document: SearchableDocument | undefined;
  #documents = 0;
  #operations = 0;

  /** Adds a field, and returns its number. */
  add(name: string): number {
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    const number = this.#numbers.size;
    this.#numbers.set(name, number);
    const isDotted = dottedPathOf(name) !== undefined;
    this.#readers.push(isDotted ? undefined : plainReader(name));
    if (isDotted) this.#dotted.push(number);
    this.#readIn.push(0);
    return number;
  }

  numberOf(name: string): number {
    return must(this.#numbers.get(name), "a field that was added");
  }

  /** Called once, after all fields are added. */
  close(): void {
    const names = [...this.#numbers.keys()];
    const pathOf = (number: number): string => must(dottedPathOf(must(names[number], "a field")), "a dotted path");
    if (this.#dotted.length > 0) this.#paths = new DottedPaths(this.#dotted.map(pathOf));
  }

  begin(document: SearchableDocument): void {
    this.#document = document;
    this.#documents++;
  }

  valueOf(number: number): JsonValue | undefined {
    if (this.#readIn[number] !== this.#documents) this.#read(number);
    return this.#values[number];
  }

  takeOperations(): number {
    const operations = this.#operations;
    this.#operations = 0;
    return operations;
  }

  #read(number: number): void {
    const document = must(this.#document, "the document whose fields are read");
    const reader = this.#readers[number];
    if (reader !== undefined) {
      this.#values[number] = reader(document);
      this.#readIn[number] = this.#documents;
      return;
    }
    for (const each of this.#dotted) {
      this.#values[each] = undefined;
      this.#readIn[each] = this.#documents;
    }
    // `read` calls `#keep`, which must not change `#operations` meanwhile.
    const read = must(this.#paths, "the dotted paths of a request").read(document.metaData, this.#keep);
    this.#operations += read;
  }

  /** Created once: a closure for each document would take as long as checking it. */
  readonly #keep: TakeValue = (path, value) => {
    this.#values[must(this.#dotted[path], "the field of a path")] = value;
    return true;
  };
}
