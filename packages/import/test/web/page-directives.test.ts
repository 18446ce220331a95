import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pageDirectives } from "../../src/web/page-directives.ts";

const read = (html: string, header?: string) => pageDirectives(new TextEncoder().encode(html), header);
const NOTHING = { noIndex: false, noFollow: false };

describe("what the head of a page says to programs", () => {
  it.each([
    ['<meta name="robots" content="noindex, nofollow">', { noIndex: true, noFollow: true }],
    ["<META CONTENT=none NAME='Robots' />", { noIndex: true, noFollow: true }],
    ['<meta name="robots" content="index,max-snippet:-1">', NOTHING],
    ['<meta name="googlebot" content="noindex">', NOTHING],
    ['<meta name="loredex" content="noindex">', { noIndex: true, noFollow: false }],
    ['<!-- <meta name="robots" content="noindex"> -->', NOTHING],
    ['<script>"<meta name=robots content=noindex>"</script>', NOTHING],
    [
      '<title><meta name=robots content=noindex></title><link rel="x canonical" href=/a>',
      { ...NOTHING, canonical: "/a" },
    ],
    ['<body><meta name="robots" content="noindex">', NOTHING],
    [
      '<link href="/a?b=1&amp;c=2" rel="canonical"><link rel=canonical href=/second>',
      { ...NOTHING, canonical: "/a?b=1&c=2" },
    ],
    ['<meta http-equiv="Refresh" content="0; URL=\'/en/\'">', { ...NOTHING, refresh: "/en/" }],
    ['<meta http-equiv="refresh" content="30; url=/en/">', NOTHING],
    ['<meta http-equiv="refresh" content="5">', NOTHING],
    ['<meta name="robots" content="noindex', { noIndex: true, noFollow: false }],
    ["<meta name=robots content", NOTHING],
  ])("%s", (html, expected) => expect(read(html)).toEqual(expected));

  it.each([
    ["noindex", { noIndex: true, noFollow: false }],
    ["googlebot: noindex", NOTHING],
    ["googlebot: nofollow, loredex: noindex", { noIndex: true, noFollow: false }],
    ["noindex, otherbot: nofollow", { noIndex: true, noFollow: false }],
    ["unavailable_after: 25 Jun 2030 15:00:00 PST, none", { noIndex: true, noFollow: true }],
  ])("X-Robots-Tag: %s", (header, expected) => expect(read("<html>", header)).toEqual(expected));

  it("is read of anything, to its end", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(..."<>/='\"! -a", "<meta ", "<script", "<!--", "</script") }),
        (html) => {
          read(html);
        },
      ),
    );
    const million = 1_000_000;
    for (const piece of ["<", "<a ", "<meta a=", "<!--", "<script>", '<link x="', "a= ", "</"]) {
      expect(read(piece.repeat(million / piece.length))).toEqual(NOTHING);
    }
  });
});
