import { shipsTokenCodes } from "../../encoder/test/shipped-token-codes.ts";
import { MINILM, openMiniLm } from "../src/minilm.ts";

shipsTokenCodes(MINILM, {
  open: () => openMiniLm({ workers: 1 }),
  table: new URL("./token-codes.jsonl", import.meta.url),
  version: "b22559de81a8",
  pieces: 30_522,
});
