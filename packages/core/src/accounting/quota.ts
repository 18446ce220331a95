/** How many characters over the quota a bot would be; 0 or less if they fit. Writes that add nothing always fit. */
export function excessCharacters(used: number, added: number, quota: number): number {
  return added === 0 ? 0 : used + added - quota;
}
