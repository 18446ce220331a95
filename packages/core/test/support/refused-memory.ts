/** Memory that is refused: what asks for typed arrays, or for more memory of WebAssembly, gets the error that it gets where there is none. */

const ARRAYS = [
  "Int8Array",
  "Uint8Array",
  "Uint8ClampedArray",
  "Int16Array",
  "Uint16Array",
  "Int32Array",
  "Uint32Array",
  "Float32Array",
  "Float64Array",
] as const;
/** They make another array as long as the first, or a part of it. */
const COPIES = ["slice", "map", "filter"] as const;

/**
 * Does a piece of work that is not interrupted, while the memory that is asked for the `first`-th time, counted from 1, is refused: and from then on all, if `goesOn`.
 * True if something was refused, and the work ended with that. Any other error is thrown.
 */
export type WhileRefused = (work: () => void, first: number, goesOn: boolean) => boolean;

/** Hands out what refuses memory, until `test` ends. What asks is put in place once: code that the machine has made fast is made anew each time that it changes. */
export function refusingMemory(test: (whileRefused: WhileRefused) => void): void {
  let ask: (() => void) | undefined;
  const asked = (): void => ask?.();
  const restore = [...ARRAYS.map((name) => askingArray(name, asked)), askingCopies(asked), askingMemory(asked)];
  const refusal = new RangeError("Array buffer allocation failed");
  try {
    test((work, first, goesOn) => {
      let times = 0;
      ask = () => {
        times++;
        if (times === first || (goesOn && times > first)) throw refusal;
      };
      try {
        work();
        return false;
      } catch (error) {
        if (error !== refusal) throw error;
        return true;
      } finally {
        ask = undefined;
      }
    });
  } finally {
    for (const each of restore) each();
  }
}

function askingArray(name: (typeof ARRAYS)[number], ask: () => void): () => void {
  const real = globalThis[name];
  const asking = new Proxy(real, {
    construct(target, given: unknown[]): object {
      // A view takes no memory, and one of nothing none that could be refused.
      if (!(given[0] instanceof ArrayBuffer) && given[0] !== 0) ask();
      return Reflect.construct(target, given);
    },
  });
  Reflect.set(globalThis, name, asking);
  return () => Reflect.set(globalThis, name, real);
}

function askingCopies(ask: () => void): () => void {
  const prototype: object = Object.getPrototypeOf(Uint8Array.prototype);
  return replaced(prototype, COPIES, ask);
}

function askingMemory(ask: () => void): () => void {
  return replaced(WebAssembly.Memory.prototype, ["grow"], ask);
}

function replaced(prototype: object, names: readonly string[], ask: () => void): () => void {
  const real = names.map((name) => [name, Object.getOwnPropertyDescriptor(prototype, name) ?? {}] as const);
  for (const [name, descriptor] of real) {
    const { value } = descriptor;
    if (typeof value !== "function") throw new TypeError(`There is no ${name}.`);
    const asking = function (this: unknown, ...given: unknown[]): unknown {
      ask();
      return Reflect.apply(value, this, given);
    };
    Object.defineProperty(prototype, name, { ...descriptor, value: asking });
  }
  return () => {
    for (const [name, descriptor] of real) Object.defineProperty(prototype, name, descriptor);
  };
}
