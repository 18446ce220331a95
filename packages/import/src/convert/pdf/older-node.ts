/**
 * Adds two functions that pdf.js calls and that Node has from version 22 on, as the standards define them. Without them every page with an embedded font would
 * be empty on Node 20.
 */
export function addWhatNodeLacks(): void {
  if (!("transferToFixedLength" in ArrayBuffer.prototype)) {
    Object.defineProperty(ArrayBuffer.prototype, "transferToFixedLength", {
      configurable: true,
      writable: true,
      value: function transferToFixedLength(this: ArrayBuffer, length = this.byteLength): ArrayBuffer {
        const moved = new ArrayBuffer(length);
        new Uint8Array(moved).set(new Uint8Array(this, 0, Math.min(length, this.byteLength)));
        return moved;
      },
    });
  }
  if (!("parse" in URL)) {
    Object.defineProperty(URL, "parse", {
      configurable: true,
      writable: true,
      value: (address: string, base?: string): URL | null => {
        return URL.canParse(address, base) ? new URL(address, base) : null;
      },
    });
  }
}
