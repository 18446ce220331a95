import { shipsWholeModel } from "../../encoder/test/shipped-model.ts";
import { MINILM } from "../src/minilm.ts";

shipsWholeModel(MINILM);
