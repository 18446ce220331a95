/** A program that ends in the way that its argument names, never closing the embedder: `exiting-program.ts WAY LOADING_PROGRAM`. */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { type EncoderModel, modelDirectory, startEncoderWorker } from "@loredex/encoder";
import { openMiniLm } from "@loredex/minilm";

const [, , way, loadingProgram = ""] = process.argv;
const entry = import.meta.resolve("@loredex/minilm");
const MODEL: EncoderModel = {
  packageName: "@loredex/minilm",
  directory: modelDirectory(entry),
  program: new URL("./worker.js", entry),
  weight: 0.5,
  calibrate: (cosine) => cosine,
};

function exit(): void {
  console.log("exiting");
  process.exit(7);
}

if (way === "loading") {
  const mark = join(mkdtempSync(join(tmpdir(), "loredex-minilm-")), "loading");
  process.env.LOADING_MARK = mark;
  startEncoderWorker({ ...MODEL, program: pathToFileURL(loadingProgram) }).ready.catch(() => undefined);
  // The runtime is being loaded, or the model: both are native code.
  while (!existsSync(mark)) await new Promise((resolve) => setImmediate(resolve));
  rmSync(dirname(mark), { recursive: true });
  exit();
} else if (way === "interrupted") {
  const worker = startEncoderWorker(MODEL);
  await worker.ready;
  process.on("SIGINT", () => undefined);
  process.kill(0, "SIGINT");
  console.log((await worker.encode("still there?")).vector.length);
  await worker.close();
} else {
  const embedder = await openMiniLm({ workers: 2 });
  if (way === "busy" || way === "killed") {
    const first = embedder.embedPassages(["the first one"]);
    embedder.embedPassages(Array.from({ length: 60 }, () => "word ".repeat(300))).catch(() => undefined);
    // The others are waiting, or in the midst.
    await first;
    if (way === "busy") exit();
    else process.kill(process.pid, "SIGKILL");
  } else {
    console.log((await embedder.embedQuery("the only one")).length);
  }
}
