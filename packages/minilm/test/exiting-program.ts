/** A program that ends in the way that its argument names, never closing the embedder. */
import { openMiniLm } from "../src/minilm.ts";

const way = process.argv[2];

function exit(): void {
  console.log("exiting");
  process.exit(7);
}

if (way === "loading") {
  openMiniLm({ workers: 1 }).catch(() => undefined);
  // The runtime is being loaded, or the model: both are native code.
  setTimeout(exit, 250);
} else {
  const embedder = await openMiniLm({ workers: 2 });
  if (way === "busy") {
    embedder.embedPassages(Array.from({ length: 60 }, () => "word ".repeat(300))).catch(() => undefined);
    setTimeout(exit, 100);
  } else {
    console.log((await embedder.embedQuery("the only one")).length);
  }
}
