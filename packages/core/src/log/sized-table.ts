/** A table by id that keeps the sum of its entries' bytes. */
export class SizedTable<Entry extends { readonly bytes: number }> extends Map<string, Entry> {
  #bytes = 0;

  /** Sum of the bytes of all entries. O(1). */
  get bytes(): number {
    return this.#bytes;
  }

  override set(id: string, entry: Entry): this {
    this.#bytes += entry.bytes - (this.get(id)?.bytes ?? 0);
    return super.set(id, entry);
  }

  override delete(id: string): boolean {
    this.#bytes -= this.get(id)?.bytes ?? 0;
    return super.delete(id);
  }

  override clear(): void {
    this.#bytes = 0;
    super.clear();
  }
}
