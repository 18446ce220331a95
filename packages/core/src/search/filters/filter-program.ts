import { must } from "../../model/must.ts";
import type { JsonValue, SearchableDocument } from "../../model/types.ts";
import { type Condition, conditionOf } from "./conditions.ts";
import { DocumentFields } from "./document-fields.ts";
import { dottedPathOf } from "./fields.ts";
import type { FilterNode } from "./filter-tree.ts";

/** Where a program ends. */
const ALLOWED = -1;
const DROPPED = -2;

/** Operations after which {@link FilterProgram.run} returns although a document is not yet decided. Takes well below a millisecond. */
const RUN_OPERATIONS = 4_096;

/** One condition, and the step that follows it. */
interface Step {
  /** The number of its field. */
  readonly field: number;
  readonly condition: Condition;
  /** The next step, {@link ALLOWED} or {@link DROPPED}. */
  readonly ifTrue: number;
  readonly ifFalse: number;
}

/**
 * A filter, compiled once for all documents: conditions with jumps, as a compiler makes of `&&` and `||`.
 *
 * ```text
 * type = PDF and (year >= 2020 or not draft)
 *
 *   step            if true     if false
 *   2  type = PDF   1           dropped
 *   1  year >= 2020 allowed     0
 *   0  draft        dropped     allowed
 * ```
 *
 * Checking stops at the first condition that decides the document. The state between two steps is one number, so that long work can yield anywhere.
 * In each group fields that are read at once come first, then dotted paths, then groups.
 */
export class FilterProgram {
  readonly #steps: Step[] = [];
  readonly #start: number;
  readonly #fields = new DocumentFields();
  #at = DROPPED;
  #operations = 0;

  constructor(filter: FilterNode) {
    this.#start = this.#compile(filter, ALLOWED, DROPPED);
    this.#fields.close();
  }

  /** Begins with another document. */
  begin(document: SearchableDocument): void {
    this.#fields.begin(document);
    this.#at = this.#start;
  }

  /** Checks conditions until the document is decided, or {@link RUN_OPERATIONS} are counted. Returns true if it is decided. */
  run(): boolean {
    const until = this.#operations + RUN_OPERATIONS;
    while (this.#at >= 0) {
      const step = must(this.#steps[this.#at], "the step that another one names");
      const value = this.#fields.valueOf(step.field);
      // Numbers and booleans are compared in one operation.
      const isLong = typeof value === "string" || typeof value === "object";
      this.#operations += (isLong ? step.condition.operations(value) : 1) + this.#fields.takeOperations();
      this.#at = step.condition.holds(value) ? step.ifTrue : step.ifFalse;
      if (this.#operations > until) break;
    }
    return this.#at < 0;
  }

  /** True if the filter allows the document. Valid after {@link run} has returned true. */
  get isAllowed(): boolean {
    return this.#at === ALLOWED;
  }

  /** The current document's value of a field that the filter names; undefined if it has none. */
  valueOf(name: string): JsonValue | undefined {
    const value = this.#fields.valueOf(this.#fields.numberOf(name));
    this.#operations += this.#fields.takeOperations();
    return value;
  }

  /** Returns the operations since the last call, and sets them to 0. */
  takeOperations(): number {
    const operations = this.#operations;
    this.#operations = 0;
    return operations;
  }

  /** Adds the steps of a node, and returns its first one. */
  #compile(node: FilterNode, ifTrue: number, ifFalse: number): number {
    switch (node.kind) {
      case "not":
        return this.#compile(node.of, ifFalse, ifTrue);
      case "all":
        return inOrder(node.of).reduceRight((next, each) => this.#compile(each, next, ifFalse), ifTrue);
      case "any":
        return inOrder(node.of).reduceRight((next, each) => this.#compile(each, ifTrue, next), ifFalse);
      case "condition": {
        const field = this.#fields.add(node.name);
        return this.#steps.push({ field, condition: conditionOf(node.operation), ifTrue, ifFalse }) - 1;
      }
    }
  }
}

/** Sorts the nodes of a group by what reading their fields takes. */
function inOrder(nodes: readonly FilterNode[]): readonly FilterNode[] {
  return [...nodes].sort((one, other) => rankOf(one) - rankOf(other));
}

function rankOf(node: FilterNode): number {
  if (node.kind !== "condition") return 2;
  return dottedPathOf(node.name) === undefined ? 0 : 1;
}
