/** The schema of a value that may be null instead. */
export const nullable = <Schema>(schema: Schema) => ({ anyOf: [schema, { type: "null" }] });
