/** The program of a process that converts files. */
import { CONVERTERS } from "../convert/converters.ts";
import { serveConversions } from "./serve-conversions.ts";

serveConversions(CONVERTERS);
