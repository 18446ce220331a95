import { crc32 } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RECORD_BYTES_MAX } from "../../src/model/limits.ts";
import {
  decodeRecordHeader,
  decodeSegmentHeader,
  encodeFlush,
  encodeSegmentHeader,
  logIdOf,
} from "../../src/storage/frame.ts";
import { decodeManifest, encodeManifest } from "../../src/storage/manifest.ts";
import { bytesOf } from "../../testing/told-stores.ts";

const id = Uint8Array.from({ length: 16 }, (_, index) => 0xa0 + index);
const logId = logIdOf(id);
const header = { id, name: "bot-1", number: 3, firstSequence: 2 ** 33 + 5 };

/** The CRC-32 of `hex`, as it is written. */
function checksum(hex: string): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(crc32(Buffer.from(hex, "hex")));
  return bytes.toString("hex");
}

function flushOf(...payloads: Uint8Array[]): Buffer {
  return Buffer.concat(encodeFlush(payloads, 7, logId));
}

describe("a segment header", () => {
  it("has the bytes that its drawing says", () => {
    const before = [
      Buffer.from("LDXSEGMT").toString("hex"),
      "01000000",
      "03000000",
      "0500000002000000",
      "a0a1a2a3a4a5a6a7a8a9aaabacadaeaf",
      Buffer.from("bot-1").toString("hex").padEnd(128, "0"),
      "00".repeat(20),
    ].join("");
    expect(encodeSegmentHeader(header).toString("hex")).toBe(before + checksum(before));
    expect(decodeSegmentHeader(encodeSegmentHeader(header))).toEqual({ kind: "header", header });
  });

  it("tells a newer version from damage", () => {
    const newer = encodeSegmentHeader(header);
    newer.writeUInt32LE(2, 8);
    expect(decodeSegmentHeader(newer).kind).toBe("damaged");
    newer.writeUInt32LE(crc32(newer.subarray(0, 124)), 124);
    expect(decodeSegmentHeader(newer)).toEqual({ kind: "unsupported", version: 2 });
  });

  it("is damaged after any change of one bit, and when it is cut short", () => {
    const bytes = encodeSegmentHeader(header);
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const changed = Buffer.from(bytes);
      changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      expect(decodeSegmentHeader(changed).kind).toBe("damaged");
    }
    for (let length = 0; length < bytes.length; length += 1) {
      expect(decodeSegmentHeader(bytes.subarray(0, length)).kind).toBe("damaged");
    }
  });
});

describe("a record", () => {
  it("has the bytes that its drawing says", () => {
    const payload = Buffer.from("hello").toString("hex");
    const first = ["f54c4458", "05000000", "0700000000000000", "a0a1a2a3a4a5a6a7", "00000000"].join("");
    const second = ["f54c4458", "05000000", "0800000000000000", "a0a1a2a3a4a5a6a7", "01000000"].join("");
    const expected = [first, second].map((before) => before + checksum(before + payload) + payload).join("");
    expect(flushOf(bytesOf("hello"), bytesOf("hello")).toString("hex")).toBe(expected);
  });

  it("may not be empty, too long, of another log, or numbered impossibly", () => {
    const good = flushOf(bytesOf("hello"));
    expect(decodeRecordHeader(good, 0, logId)).toMatchObject({ payloadBytes: 5, sequence: 7, flushFirst: 7 });
    const changed = (change: (bytes: Buffer) => void) => {
      const bytes = Buffer.from(good);
      change(bytes);
      return decodeRecordHeader(bytes, 0, logId);
    };
    expect(changed((bytes) => bytes.writeUInt8(0xf4, 0))).toBeUndefined();
    expect(changed((bytes) => bytes.writeUInt32LE(0, 4))).toBeUndefined();
    expect(changed((bytes) => bytes.writeUInt32LE(RECORD_BYTES_MAX, 4))).toBeDefined();
    expect(changed((bytes) => bytes.writeUInt32LE(RECORD_BYTES_MAX + 1, 4))).toBeUndefined();
    expect(changed((bytes) => bytes.writeUInt32LE(0, 8))).toBeUndefined();
    expect(changed((bytes) => bytes.writeUInt32LE(0xffff_ffff, 12))).toBeUndefined();
    expect(changed((bytes) => bytes.writeUInt8(0, 16))).toBeUndefined();
    expect(changed((bytes) => bytes.writeUInt8(0, 23))).toBeUndefined();
    expect(changed((bytes) => bytes.writeUInt32LE(7, 24))).toBeUndefined();
    expect(decodeRecordHeader(Buffer.alloc(64), 0, logId)).toBeUndefined();
  });

  it("is the same whether its payload was copied or written from where it is", () => {
    const large = new Uint8Array(70_000).fill(7);
    const chunks = encodeFlush([bytesOf("a"), large, bytesOf("b"), bytesOf("c")], 7, logId);
    expect(chunks.map((chunk) => chunk.length)).toEqual([65, 70_000, 66]);
    expect(chunks[1]).toBe(large);
    const whole = Buffer.concat(chunks);
    expect(decodeRecordHeader(whole, 33, logId)).toMatchObject({ payloadBytes: 70_000, sequence: 8, flushFirst: 7 });
    expect(decodeRecordHeader(whole, 33 + 70_032, logId)).toMatchObject({ sequence: 9, flushFirst: 7 });
  });
});

describe("a manifest", () => {
  const section = fc.record({
    name: fc.constantFrom("a", "articles", "lexical-index"),
    version: fc.integer({ min: 0, max: 0xffff_ffff }),
    bytes: fc.integer({ min: 0, max: 2 ** 40 }),
    checksum: fc.integer({ min: 0, max: 0xffff_ffff }),
  });

  it("comes back as it was", () => {
    fc.assert(
      fc.property(fc.array(section), fc.maxSafeNat(), (sections, sequence) => {
        const manifest = { storeId: id, sequence, sections };
        expect(decodeManifest(encodeManifest(manifest))).toEqual({ kind: "manifest", manifest });
      }),
    );
  });

  it("has the bytes that its drawing says", () => {
    const sections = [{ name: "ab", version: 2, bytes: 300, checksum: 0x01020304 }];
    const before = [
      Buffer.from("LDXMANIF").toString("hex"),
      "01000000",
      (44 + 19 + 4).toString(16).padEnd(8, "0"),
      "a0a1a2a3a4a5a6a7a8a9aaabacadaeaf",
      "0900000000000000",
      "01000000",
      "026162",
      "02000000",
      "2c01000000000000",
      "04030201",
    ].join("");
    expect(encodeManifest({ storeId: id, sequence: 9, sections }).toString("hex")).toBe(before + checksum(before));
  });

  it("is damaged after any change of one bit or cut, and tells a newer version", () => {
    const sections = [{ name: "articles", version: 1, bytes: 10, checksum: 5 }];
    const bytes = encodeManifest({ storeId: id, sequence: 9, sections });
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const changed = Buffer.from(bytes);
      changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      expect(decodeManifest(changed).kind).toBe("damaged");
    }
    for (let length = 0; length < bytes.length; length += 1) {
      expect(decodeManifest(bytes.subarray(0, length)).kind).toBe("damaged");
    }
    bytes.writeUInt32LE(2, 8);
    bytes.writeUInt32LE(crc32(bytes.subarray(0, -4)), bytes.length - 4);
    expect(decodeManifest(bytes)).toEqual({ kind: "unsupported", version: 2 });
  });

  it("survives bytes made to look like one", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (tail) => {
        const body = Buffer.concat([encodeManifest({ storeId: id, sequence: 1, sections: [] }).subarray(0, 40), tail]);
        const bytes = Buffer.concat([body, Buffer.alloc(4)]);
        bytes.writeUInt32LE(crc32(body), body.length);
        expect(["manifest", "damaged"]).toContain(decodeManifest(bytes).kind);
      }),
    );
  });
});
