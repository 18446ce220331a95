import { shipsTokenCodes } from "../../encoder/test/shipped-signs.ts";
import { MULTILINGUAL, openMultilingual } from "../src/multilingual.ts";

shipsTokenCodes(MULTILINGUAL, {
  open: () => openMultilingual({ workers: 1 }),
  table: new URL("./signs.jsonl", import.meta.url),
  version: "0e235f7ae451",
  pieces: 230_000,
});
