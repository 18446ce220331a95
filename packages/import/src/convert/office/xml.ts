import { Parser } from "saxen";
import { ConversionError } from "../conversion.ts";

/** Receives the content of an XML text, in order. Names come without prefixes, which programs choose freely. */
export interface XmlListener {
  readonly open?: (name: string, attribute: (name: string) => string | undefined) => void;
  readonly close?: (name: string) => void;
  readonly text?: (text: string) => void;
}

/** Maximum nesting of elements. Office programs write far less, and some later readers are recursive. */
const DEPTH_MAX = 500;

/**
 * Reads XML from beginning to end. Nothing external is read, and only the five entities of XML itself are replaced.
 * @throws ConversionError
 */
export function readXml(xml: string, { open, close, text }: XmlListener): void {
  const parser = new Parser();
  let depth = 0;
  let failure: ConversionError | undefined;
  const fail = (message: string): void => {
    failure ??= new ConversionError(message);
    parser.stop();
  };
  parser.on("openTag", (name, attributes, decode) => {
    depth++;
    if (depth > DEPTH_MAX) return fail(`the file is nested more than ${DEPTH_MAX} deep`);
    open?.(localName(name), (asked) => {
      const found = attributeOf(attributes(), asked);
      return found === undefined ? undefined : decode(found);
    });
  });
  parser.on("closeTag", (name) => {
    depth--;
    if (failure === undefined) close?.(localName(name));
  });
  if (text !== undefined) {
    parser.on("text", (found, decode) => text(decode(found)));
    parser.on("cdata", (found) => text(found));
  }
  parser.on("error", () => fail("the file is damaged; open it in an office program and save it again"));
  parser.parse(xml);
  if (failure !== undefined) throw failure;
}

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

function attributeOf(attributes: Record<string, string>, asked: string): string | undefined {
  if (attributes[asked] !== undefined) return attributes[asked];
  for (const [name, value] of Object.entries(attributes)) if (localName(name) === asked) return value;
  return undefined;
}
