/** Makes the vector of a short text, of length one; undefined if it cannot. Each static embedder has one function, which tells it from others. */
export type EmbedShort = (text: string) => Float32Array | undefined;
