/** A reference to the schema of this name. */
export function ref(name: string) {
  return { $ref: `#/components/schemas/${name}` };
}
