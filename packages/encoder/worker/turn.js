/** Turning vectors along axes, which shortens them, by a kernel where there is one. */
import { TURN_KERNEL_BASE64 } from "./turn-kernel.js";
import { rotate } from "./vectors.js";

const AXES_AT_ONCE = 8;
const NUMBER_BYTES = 8;
const PAGE_BYTES = 65_536;

/**
 * A function that gives a vector along each of the axes: what {@link rotate} gives, to the last bit, in a fourth of the time where WebAssembly has SIMD.
 * @param {Float32Array} axes one row an axis, each as long as the vector; a multiple of four of them
 * @param {number} hidden the length of a vector
 * @returns {(vector: Float64Array) => Float64Array}
 */
export function openTurn(axes, hidden) {
  return turnByKernel(axes, hidden) ?? ((vector) => rotate(vector, axes));
}

/**
 * Undefined where there is no WebAssembly, no SIMD in it, or no room, and for a number of axes that the kernel does not take.
 * The memory is laid out as: a vector, its sums, the axes.
 * @param {Float32Array} axes
 * @param {number} hidden
 * @returns {((vector: Float64Array) => Float64Array) | undefined}
 */
export function turnByKernel(axes, hidden) {
  const dimensions = axes.length / hidden;
  if (dimensions % AXES_AT_ONCE !== 0 || axes.length === 0) return undefined;
  const vectorBytes = hidden * NUMBER_BYTES;
  const axesAt = vectorBytes + dimensions * NUMBER_BYTES;
  try {
    const module = new WebAssembly.Module(Buffer.from(TURN_KERNEL_BASE64, "base64"));
    const pages = Math.ceil((axesAt + axes.byteLength) / PAGE_BYTES);
    const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
    const { turn } = new WebAssembly.Instance(module, { env: { memory } }).exports;
    if (typeof turn !== "function") return undefined;
    const given = new Float64Array(memory.buffer, 0, hidden);
    const sums = new Float64Array(memory.buffer, vectorBytes, dimensions);
    new Float32Array(memory.buffer, axesAt, axes.length).set(sideBySide(axes, hidden));
    return (vector) => {
      given.set(vector);
      turn(vectorBytes, axesAt, vectorBytes, axesAt);
      return sums.slice();
    };
  } catch {
    return undefined;
  }
}

/**
 * The axes as the kernel reads them: the first numbers of eight axes, their second numbers, and so on.
 * @param {Float32Array} axes
 * @param {number} hidden
 */
function sideBySide(axes, hidden) {
  const ordered = new Float32Array(axes.length);
  let to = 0;
  for (let from = 0; from < axes.length; from += AXES_AT_ONCE * hidden) {
    for (let at = 0; at < hidden; at += 1) {
      for (let axis = 0; axis < AXES_AT_ONCE; axis += 1) ordered[to++] = axes[from + axis * hidden + at] ?? 0;
    }
  }
  return ordered;
}
