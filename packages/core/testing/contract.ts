/** One demand of a port. A runner of tests takes it as it is: `for (const { name, run } of cases) it(name, run)`. */
export interface ContractCase {
  readonly name: string;
  /** Rejects with an `AssertionError` if the implementation under test does not meet the demand. */
  readonly run: () => Promise<void>;
}

/** Demands on a given implementation, or on its factory, by their names. */
export type Demands<Given> = Readonly<Record<string, (given: Given) => Promise<void>>>;

/** The cases of some demands on one implementation. */
export function casesOf<Given>(demands: Demands<Given>, given: Given): ContractCase[] {
  return Object.entries(demands).map(([name, demand]) => ({ name, run: () => demand(given) }));
}

/** For `assert.rejects`: whether a promise rejected with this very error. */
export function exactly(expected: Error): (error: unknown) => boolean {
  return (error) => error === expected;
}
