/** Closes one after the other. One that cannot be closed keeps none of the others open; the first error is thrown when all were tried. */
export async function closeEach(parts: Iterable<{ close(): Promise<void> }>): Promise<void> {
  const errors: unknown[] = [];
  for (const part of parts) await part.close().catch((error: unknown) => errors.push(error));
  if (errors.length > 0) throw errors[0];
}
