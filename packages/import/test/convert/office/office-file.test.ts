import { describe, expect, it } from "vitest";
import { ConversionError } from "../../../src/convert/conversion.ts";
import { openOfficeFile, relationsOf } from "../../../src/convert/office/office-file.ts";
import { readXml } from "../../../src/convert/office/xml.ts";
import { archiveOf } from "../../support/office-files.ts";

const FORMAT = { extension: ".docx", isWanted: () => true } as const;
const TYPES = { "[Content_Types].xml": "<Types/>" };

function refusal(bytes: Uint8Array): string {
  try {
    openOfficeFile(bytes, FORMAT);
  } catch (error) {
    if (error instanceof ConversionError) return error.message;
    throw error;
  }
  return "";
}

/** The archive with other sizes of its parts than they have. */
function lying(archive: Uint8Array, size: number): Uint8Array {
  const view = new DataView(archive.buffer, archive.byteOffset);
  for (let at = 0; at + 46 < archive.length; at++) {
    if (view.getUint32(at, true) === 0x04034b50) view.setUint32(at + 22, size, true);
    if (view.getUint32(at, true) === 0x02014b50) view.setUint32(at + 24, size, true);
  }
  return archive;
}

describe("an office file", () => {
  it("gives its parts as text, in UTF-8 and UTF-16", () => {
    const file = openOfficeFile(archiveOf({ ...TYPES, "a.xml": "<ä/>" }), FORMAT);
    expect(file.xml("a.xml")).toBe("<ä/>");
    expect(file.xml("b.xml")).toBeUndefined();
  });

  it("knows what its parts refer to", () => {
    const rels = (target: string, mode = ""): string =>
      `<Relationships><Relationship Id="r1" Type="http://x/sheet" Target="${target}"${mode}/></Relationships>`;
    const targets = [
      rels("../b.xml"),
      rels("/xl/b.xml"),
      rels("./b.xml"),
      rels("https://e.org/?a&amp;b", ' TargetMode="External"'),
    ].map(
      (xml) =>
        relationsOf(openOfficeFile(archiveOf({ ...TYPES, "xl/s/_rels/a.xml.rels": xml }), FORMAT), "xl/s/a.xml").get(
          "r1",
        )?.target,
    );
    expect(targets).toEqual(["xl/b.xml", "xl/b.xml", "xl/s/b.xml", "https://e.org/?a&b"]);
  });

  it.each([
    ["empty", new Uint8Array(), "the file is empty"],
    ["a text", Buffer.from("hello"), "the file is no .docx file; save it as .docx in an office program"],
    ["of an old format", Buffer.from("d0cf11e0a1b11ae1", "hex"), "the file has an old office format; save it as .docx"],
    [
      "encrypted",
      Buffer.concat([Buffer.from("d0cf11e0a1b11ae1", "hex"), Buffer.from("EncryptedPackage", "utf16le")]),
      "the file is encrypted; save it without a password",
    ],
    [
      "cut short",
      archiveOf({ ...TYPES, "a.xml": "x".repeat(5_000) }).slice(0, 150),
      "the file is damaged, or is not all there; save or fetch it again",
    ],
    ["an archive of something else", archiveOf({ "a.txt": "a" }), "the file is an archive, but no .docx file"],
    [
      "of OpenDocument",
      archiveOf({ mimetype: "application/vnd.oasis" }),
      "the file has another office format; save it as .docx",
    ],
  ])("that is %s is refused in words", (_, bytes, message) => {
    expect(refusal(bytes)).toBe(message);
  });

  it.each([
    ["two parts", archiveOf(TYPES), 300 * 1_048_576, "a part of the file unpacks to more than 256 MiB"],
    [
      "sizes beyond measure",
      archiveOf({ ...TYPES, "a.xml": "a" }),
      0x7fff_ffff,
      "the file unpacks to more than 512 MiB",
    ],
    ["sizes left open", archiveOf({ ...TYPES, "a.xml": "a" }), 0xffff_ffff, "the file unpacks to more than 512 MiB"],
  ])("that unpacks to more than can be read is refused before it is unpacked: %s", (_, archive, size, message) => {
    expect(refusal(lying(archive, size))).toBe(`${message}; divide it into several`);
  });

  it("never gives more of a part than it says that it has", () => {
    const archive = lying(archiveOf({ ...TYPES, "a.xml": "a".repeat(1_000_000) }), 10);
    expect(openOfficeFile(archive, FORMAT).xml("a.xml")).toHaveLength(10);
  });
});

describe("XML of an office file", () => {
  it("puts in no entities that it makes up", () => {
    const texts: string[] = [];
    readXml('<!DOCTYPE a [<!ENTITY x "boom">]><a>1 &lt; 2 &x;</a>', { text: (text) => texts.push(text) });
    expect(texts.join("")).not.toContain("boom");
  });

  it.each([
    ["not whole", "<a><b></a>", "the file is damaged"],
    ["nested without measure", "<a>".repeat(100_000), "nested more than 500 deep"],
  ])("that is %s is refused in words", (_, xml, message) => {
    expect(() => readXml(xml, {})).toThrow(message);
  });
});
