import { shipsTokenCodes } from "../../encoder/test/shipped-token-codes.ts";
import { MULTILINGUAL, openMultilingual } from "../src/multilingual.ts";

shipsTokenCodes(MULTILINGUAL, {
  open: () => openMultilingual({ workers: 1 }),
  table: new URL("./token-codes.jsonl", import.meta.url),
  version: "0e235f7ae451",
  pieces: 230_000,
});
