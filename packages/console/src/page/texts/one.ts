/** A count with its noun, in a language. */
export const oneIn =
  (language: string) =>
  (count: number, single: string, plural: string): string =>
    `${count.toLocaleString(language)} ${count === 1 ? single : plural}`;
