import { type UnzipFileInfo, unzipSync } from "fflate";
import { ConversionError } from "../conversion.ts";
import { readXml } from "./xml.ts";

/** Maximum of one unpacked part. A sheet of a million cells has about 60 MB. */
const PART_BYTES_MAX = 256 * 1_048_576;
/** Maximum of all parts that are read of a file. */
const PARTS_BYTES_MAX = 512 * 1_048_576;
const PARTS_MAX = 20_000;

/** An office file (.docx, .xlsx): a zip archive of XML texts. */
export interface OfficeFile {
  /** Names of all parts that are read, without a leading slash. */
  readonly names: readonly string[];
  bytes(name: string): Uint8Array | undefined;
  /** The XML of a part; undefined if there is none. */
  xml(name: string): string | undefined;
}

/** The parts that a format is read from. */
export interface OfficeFormat {
  readonly extension: ".docx" | ".xlsx";
  readonly isWanted: (name: string) => boolean;
}

/**
 * Opens an office file. The declared sizes of its parts are checked before any is unpacked, and none may become larger.
 * @throws ConversionError
 */
export function openOfficeFile(bytes: Uint8Array, { extension, isWanted }: OfficeFormat): OfficeFile {
  requireArchive(bytes, extension);
  const infos: UnzipFileInfo[] = [];
  unzip(bytes, (info) => {
    infos.push(info);
    return false;
  });
  requireFormat(infos, extension);
  const wanted = infos.filter(({ name }) => isWanted(name));
  requireSizes(infos.length, wanted);
  const parts = new Map(Object.entries(unzip(bytes, ({ name }) => isWanted(name))));
  return {
    names: [...parts.keys()],
    bytes: (name) => parts.get(name),
    xml: (name) => {
      const part = parts.get(name);
      return part === undefined ? undefined : decoded(part);
    },
  };
}

const OLE_MARK = Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0);
const ZIP_MARK = Uint8Array.of(0x50, 0x4b);

function requireArchive(bytes: Uint8Array, extension: string): void {
  if (bytes.length === 0) throw new ConversionError("the file is empty");
  if (beginsWith(bytes, OLE_MARK)) {
    const isEncrypted = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(
      "EncryptedPackage",
      0,
      "utf16le",
    );
    throw new ConversionError(
      isEncrypted
        ? "the file is encrypted; save it without a password"
        : `the file has an old office format; save it as ${extension}`,
    );
  }
  if (!beginsWith(bytes, ZIP_MARK)) {
    throw new ConversionError(`the file is no ${extension} file; save it as ${extension} in an office program`);
  }
}

function requireFormat(parts: readonly UnzipFileInfo[], extension: string): void {
  const names = new Set(parts.map(({ name }) => name));
  if (names.has("[Content_Types].xml") && !names.has("xl/workbook.bin")) return;
  const isOther = names.has("mimetype") || names.has("xl/workbook.bin");
  throw new ConversionError(
    isOther
      ? `the file has another office format; save it as ${extension}`
      : `the file is an archive, but no ${extension} file`,
  );
}

function requireSizes(parts: number, wanted: readonly UnzipFileInfo[]): void {
  const sizes = wanted.map(({ originalSize }) => originalSize);
  const all = sizes.reduce((sum, size) => sum + size, 0);
  if (parts > PARTS_MAX) throw new ConversionError(`the file has more than ${PARTS_MAX} parts; divide it into several`);
  // The message has no size. An archive of the 64-bit kind may leave it open, and then declares the largest possible number.
  if (all > PARTS_BYTES_MAX) {
    throw new ConversionError(`the file unpacks to more than ${inMebibytes(PARTS_BYTES_MAX)}; divide it into several`);
  }
  if (sizes.some((size) => size > PART_BYTES_MAX)) {
    throw new ConversionError(
      `a part of the file unpacks to more than ${inMebibytes(PART_BYTES_MAX)}; divide it into several`,
    );
  }
}

function inMebibytes(bytes: number): string {
  return `${bytes / 1_048_576} MiB`;
}

function unzip(bytes: Uint8Array, filter: (info: UnzipFileInfo) => boolean): Record<string, Uint8Array> {
  try {
    return unzipSync(bytes, { filter });
  } catch (cause) {
    throw new ConversionError("the file is damaged, or is not all there; save or fetch it again", undefined, { cause });
  }
}

function beginsWith(bytes: Uint8Array, mark: Uint8Array): boolean {
  return mark.every((byte, i) => bytes[i] === byte);
}

function decoded(part: Uint8Array): string {
  const isUtf16 = (part[0] === 0xff && part[1] === 0xfe) || (part[0] === 0xfe && part[1] === 0xff);
  const encoding = !isUtf16 ? "utf-8" : part[0] === 0xff ? "utf-16le" : "utf-16be";
  return new TextDecoder(encoding).decode(part);
}

/** A reference of a part to another one, stored by its id. */
export interface Relation {
  /** The last word of its type, for example `worksheet` or `hyperlink`. */
  readonly type: string;
  /** The name of a part, or an external address. */
  readonly target: string;
  readonly isExternal: boolean;
}

/** Returns the relations of a part; an empty name returns those of the file itself. */
export function relationsOf(file: OfficeFile, part: string): Map<string, Relation> {
  const slash = part.lastIndexOf("/") + 1;
  const folder = part.slice(0, slash);
  const relations = new Map<string, Relation>();
  const xml = file.xml(`${folder}_rels/${part.slice(slash)}.rels`);
  if (xml === undefined) return relations;
  readXml(xml, {
    open: (name, attribute) => {
      const [id, type, target] = [attribute("Id"), attribute("Type"), attribute("Target")];
      if (name !== "Relationship" || id === undefined || type === undefined || target === undefined) return;
      const isExternal = attribute("TargetMode") === "External";
      const found = isExternal ? target : partNamed(folder, target);
      relations.set(id, { type: type.slice(type.lastIndexOf("/") + 1), target: found, isExternal });
    },
  });
  return relations;
}

/** Resolves a target from a folder to the name of a part: `../x.xml`, `x.xml` or `/xl/x.xml`. */
function partNamed(folder: string, target: string): string {
  const path: string[] = [];
  for (const step of (target.startsWith("/") ? target : `${folder}${target}`).split("/")) {
    if (step === "..") path.pop();
    else if (step !== "" && step !== ".") path.push(step);
  }
  return path.join("/");
}
