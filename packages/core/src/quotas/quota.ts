/**
 * Characters, or bytes, by which a bot could exceed its quota with this write; 0 or less if the write fits.
 * @param reserved characters in use or reserved for writes in flight
 * @param added characters that the write adds to the version before it; a write that adds nothing always fits
 * @param growth characters that would be reserved additionally
 */
export function excessOf(reserved: number, added: number, growth: number, quota: number): number {
  return added === 0 ? 0 : reserved + growth - quota;
}
