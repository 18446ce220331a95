/** A program that ends in the way that its argument names, never closing the embedder. */
import { startEncoderWorker } from "../src/encoder-worker.ts";
import { openMiniLm } from "../src/minilm.ts";
import { MODEL_DIRECTORY } from "./model-directory.ts";

const way = process.argv[2];

function exit(): void {
  console.log("exiting");
  process.exit(7);
}

if (way === "loading") {
  openMiniLm({ workers: 1 }).catch(() => undefined);
  // The runtime is being loaded, or the model: both are native code.
  setTimeout(exit, 250);
} else if (way === "interrupted") {
  const worker = startEncoderWorker(MODEL_DIRECTORY);
  await worker.ready;
  process.on("SIGINT", () => undefined);
  process.kill(0, "SIGINT");
  console.log((await worker.encode("still there?")).length);
  await worker.close();
} else {
  const embedder = await openMiniLm({ workers: 2 });
  if (way === "busy" || way === "killed") {
    embedder.embedPassages(Array.from({ length: 60 }, () => "word ".repeat(300))).catch(() => undefined);
    if (way === "busy") setTimeout(exit, 100);
    else process.kill(process.pid, "SIGKILL");
  } else {
    console.log((await embedder.embedQuery("the only one")).length);
  }
}
