import fc from "fast-check";
import type { FilterValue } from "../../src/model/filter-types.ts";
import type { JsonObject, JsonValue } from "../../src/model/types.ts";

/** Keys that may be read in several ways, one of them nowhere. */
const key = fc.constantFrom("a", "b", "a.a", "a.a.a", "b.a", "", "a.", ".a", "constructor", "__proto__");
const value = fc.oneof(fc.constantFrom<FilterValue>("x", "y", 1, true, ""), fc.constant(null));

/** Metadata, nested and with dots in its keys. */
export const { tree } = fc.letrec<{ tree: JsonObject; inner: JsonValue }>((tie) => ({
  tree: fc.dictionary(key, tie("inner"), { maxKeys: 6 }),
  inner: fc.oneof({ weight: 3, arbitrary: value }, fc.array(value, { maxLength: 3 }), {
    weight: 2,
    arbitrary: tie("tree"),
  }),
}));

const keys = fc.array(key, { minLength: 1, maxLength: 4 });
const segments = fc.array(fc.constantFrom("a", "a", "a", "b", ""), { minLength: 2, maxLength: 6 });

/** Paths in such metadata. */
export const path = fc
  .oneof(keys, segments)
  .map((each) => each.join("."))
  .filter((each) => each !== "");

/** Every path in an object, to what it holds and to all that is in that. */
function* pathsIn(object: JsonObject): Generator<string, void> {
  for (const [each, inner] of Object.entries(object)) {
    if (each !== "") yield each;
    if (typeof inner !== "object" || inner === null || Array.isArray(inner)) continue;
    for (const rest of pathsIn(inner as JsonObject)) yield `${each}.${rest}`;
  }
}

/** Objects, and different paths, of which some stand in them: few, or many. */
export const treesAndPaths: fc.Arbitrary<[JsonObject[], string[]]> = fc
  .array(tree, { minLength: 1, maxLength: 4 })
  .chain((objects) => {
    const there = fc.shuffledSubarray([...new Set(objects.flatMap((object) => [...pathsIn(object)]))]);
    const few = fc.tuple(there, fc.array(path, { maxLength: 3 })).map((all) => all.flat().slice(0, 3));
    const many = fc.tuple(there, fc.array(path, { maxLength: 30 })).map((all) => all.flat());
    return fc.tuple(
      fc.constant(objects),
      fc.oneof(few, many).map((all) => [...new Set(all)]),
    );
  });

/** What stands at a path, by its definition: a key that holds the dots itself wins over keys in keys, and the longer key over the shorter. */
export function found(object: JsonObject, dotted: string): JsonValue | undefined {
  if (Object.hasOwn(object, dotted)) return object[dotted];
  for (let end = dotted.length - 1; end > 0; end--) {
    const inner = dotted[end] === "." ? own(object, dotted.slice(0, end)) : undefined;
    if (typeof inner !== "object" || inner === null || Array.isArray(inner)) continue;
    const value = found(inner as JsonObject, dotted.slice(end + 1));
    if (value !== undefined) return value;
  }
  return undefined;
}

function own(object: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
