import type { JsonObject, JsonValue } from "../../src/model/types.ts";

/** The same object. Tells of each key that it is asked for, and of each that is listed. */
export function countedObject(object: JsonObject, onKey: () => void): JsonObject {
  return new Proxy(object, {
    getOwnPropertyDescriptor: (of, name) => {
      onKey();
      return Reflect.getOwnPropertyDescriptor(of, name);
    },
  });
}

/** The same of an object and of all objects in it. */
export function countedMetaData(metaData: JsonObject, onKey: () => void): JsonObject {
  const entries = Object.entries(metaData).map(([key, value]) => [
    key,
    isObject(value) ? countedMetaData(value, onKey) : value,
  ]);
  return countedObject(Object.fromEntries(entries) as JsonObject, onKey);
}

/** Keys of an object and of all objects in it. */
export function keyCountOf(metaData: JsonObject): number {
  return Object.values(metaData).reduce<number>(
    (count, value) => count + 1 + (isObject(value) ? keyCountOf(value) : 0),
    0,
  );
}

/** Objects in each other, that many, with the same key. */
export function nested(count: number): JsonObject {
  return { x: count > 1 ? nested(count - 1) : 1 };
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
