import fc from "fast-check";
import { expect, it } from "vitest";
import { lawRuns } from "../../../../../test/support/law-runs.ts";
import { ForwardLists } from "../../../src/index/postings/forward-lists.ts";
import { ListsReader } from "../../../src/index/postings/list-bytes.ts";
import { occurrences } from "../../../src/index/postings/occurrences.ts";
import { finished } from "../../../src/scheduling/time-slices.ts";

type Held = readonly [term: number, word: number];

const small = fc.nat({ max: 300 });
const any = fc.nat({ max: 0xffffffff });
const word = fc.oneof(
  any,
  fc.nat({ max: 23 }).map((fragment) => occurrences(4, 1 << fragment)),
  fc
    .tuple(fc.nat({ max: 255 }), fc.constantFrom(0, 1, 3, 0xffffff))
    .map(([often, fragments]) => occurrences(often, fragments)),
);
const list = fc.array(fc.tuple(fc.oneof(small, any), word), { maxLength: 40 });

const none = (): ForwardLists =>
  finished(ForwardLists.inSlices({ starts: new Uint32Array(1), terms: new Uint32Array(0), words: new Uint32Array(0) }));

function add(lists: ForwardLists, held: readonly Held[]): void {
  lists.open(held.length);
  for (const [term, how] of held) lists.push(term, how);
  lists.close();
}

function held({ count, terms, words }: ListsReader): Held[] {
  return Array.from({ length: count }, (_, i) => [terms[i] ?? 0, words[i] ?? 0]);
}

it("gives what it was given, whatever was given up between", () => {
  const entry = fc.record({ list, fate: fc.constantFrom("stays", "stays", "given up", "given up half way") });
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 30 }), (entries) => {
      const lists = none();
      const expected: (readonly Held[])[] = [];
      for (const { list: own, fate } of entries) {
        if (fate === "stays") add(lists, own);
        else {
          lists.open(own.length);
          for (const [term, how] of fate === "given up" ? own : own.slice(1)) lists.push(term, how);
          lists.giveUp();
        }
        expected.push(fate === "stays" ? own : []);
      }
      expect(expected.map((_, ordinal) => held(lists.read(ordinal)))).toEqual(expected);
      const wanted = Uint16Array.from({ length: 300 }, (_, term) => (term % 3 === 0 ? 0 : term));
      const visited = expected.map((_, ordinal) => {
        const met: Held[] = [];
        lists.visitWanted(ordinal, wanted, (number, how) => met.push([number, how]));
        return met;
      });
      expect(visited).toEqual(expected.map((own) => own.filter(([term]) => term < 300 && term % 3 > 0)));
      expect(lists.postings).toBe(expected.flat().length);
      expect(lists.countBetween(0, expected.length, Number.POSITIVE_INFINITY)).toBe(lists.postings);
    }),
    { numRuns: lawRuns(200) },
  );
});

it("is the same when it is made at once", () => {
  fc.assert(
    fc.property(fc.array(list, { maxLength: 30 }), (all) => {
      const one = none();
      for (const own of all) add(one, own);
      const starts = [0];
      for (const own of all) starts.push((starts.at(-1) ?? 0) + own.length);
      const flat = all.flat();
      const other = finished(
        ForwardLists.inSlices({
          starts: Uint32Array.from(starts),
          terms: Uint32Array.from(flat, ([term]) => term),
          words: Uint32Array.from(flat, ([, how]) => how),
        }),
      );
      for (const ordinal of all.keys()) expect(held(other.read(ordinal))).toEqual(held(one.read(ordinal)));
      expect(other.postings).toBe(one.postings);
    }),
    { numRuns: lawRuns(100) },
  );
});

it("has room for lists that are longer than a page, and shows those before as they were", () => {
  const lists = none();
  const long: Held[] = Array.from({ length: 70_000 }, (_, i) => [i * 60_000, i]);
  const short: Held[] = [[7, 4]];
  const all = [short, long, short, [], long, long, short];
  const captures: { starts: Uint32Array; pages: readonly Uint8Array[] }[] = [];
  for (const each of all) {
    add(lists, each);
    captures.push(lists.capture());
  }
  // Given up while its page is as large as it might have become.
  lists.open(long.length);
  lists.giveUp();
  add(lists, short);
  add(lists, long);
  expect([...all, [], short, long].every((each, i) => held(lists.read(i)).length === each.length)).toBe(true);
  expect(held(lists.read(4))).toEqual(long);
  expect(held(lists.read(9))).toEqual(long);
  for (const [last, { starts, pages }] of captures.entries()) {
    expect(starts.length).toBe(last + 1);
    const reader = new ListsReader(pages);
    for (const ordinal of starts.keys()) {
      expect(held(reader.read(starts[ordinal] ?? 0)).length).toBe(all[ordinal]?.length);
    }
    expect(held(reader.read(starts[last] ?? 0))).toEqual(all[last]);
  }
});

it("takes less than half of two numbers a term where frequent terms have low numbers", () => {
  const lists = none();
  for (let passage = 0; passage < 2_000; passage++) {
    lists.open(50);
    // As often as words are in texts: a tenth of the numbers has four fifths of what is held.
    for (let i = 0; i < 50; i++) {
      const term = Math.floor(30_000 ** (((passage * 31 + i * 17) % 100) / 100));
      lists.push(term, occurrences(i % 10 === 0 ? 8 : 4, 1 << (i % 4)));
    }
    lists.close();
  }
  expect(lists.bytes / lists.postings).toBeLessThan(4);
});

it("refuses terms that it was not opened for", () => {
  const lists = none();
  lists.open(1);
  expect(() => lists.close()).toThrow(RangeError);
  lists.push(1, 4);
  expect(() => lists.push(2, 4)).toThrow(RangeError);
  lists.close();
  expect(held(lists.read(0))).toEqual([[1, 4]]);
});
