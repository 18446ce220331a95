/** A piece of work. It begins when it is called, and must not reject. */
export type Work<Item> = () => Promise<Iterable<Item> | AsyncIterable<Item>>;

/** Yields the results of pieces of work in their order, while up to `ahead` later pieces run already. */
export async function* inOrder<Item>(works: AsyncIterable<Work<Item>>, ahead: number): AsyncGenerator<Item> {
  const running: ReturnType<Work<Item>>[] = [];
  for await (const work of works) {
    running.push(work());
    const first = running.length > ahead ? running.shift() : undefined;
    if (first !== undefined) yield* await first;
  }
  for (const work of running) yield* await work;
}
