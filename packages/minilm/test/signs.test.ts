import { shipsTokenCodes } from "../../encoder/test/shipped-signs.ts";
import { MINILM, openMiniLm } from "../src/minilm.ts";

shipsTokenCodes(MINILM, {
  open: () => openMiniLm({ workers: 1 }),
  table: new URL("./signs.jsonl", import.meta.url),
  version: "b22559de81a8",
  pieces: 30_522,
});
