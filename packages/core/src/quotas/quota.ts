/**
 * How many characters, or bytes, over the quota a bot could come to be; 0 or less if they fit.
 * @param reserved what is used or reserved for writes in flight
 * @param added by this write, over the version before it; writes that add nothing always fit
 * @param growth how many more would be reserved with it
 */
export function excessOf(reserved: number, added: number, growth: number, quota: number): number {
  return added === 0 ? 0 : reserved + growth - quota;
}
