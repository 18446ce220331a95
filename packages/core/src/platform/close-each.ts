/** Closes all parts, one after the other, even if some fail. After trying all, throws the first error. */
export async function closeEach(parts: Iterable<{ close(): Promise<void> }>): Promise<void> {
  const errors: unknown[] = [];
  for (const part of parts) await part.close().catch((error: unknown) => errors.push(error));
  if (errors.length > 0) throw errors[0];
}
