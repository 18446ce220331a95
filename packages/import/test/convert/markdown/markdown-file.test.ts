import { expect, it } from "vitest";
import { markdownDocument } from "../../../src/convert/markdown/markdown-file.ts";

function titleOf(text: string): unknown {
  return markdownDocument(text, { id: "file:x.md", path: "some/Opening hours.md", type: "DOCUMENT" }).metaData?.title;
}

it("becomes a document whose lines are those of the file, shifted by sourceLine", () => {
  const text = "---\ntitle: Hours\nlang: en\n---\n# Open\n\nFrom nine.\n";
  const document = markdownDocument(text, { id: "file:a/hours.md", path: "a/hours.md", type: "WEBPAGE" });
  expect(document).toEqual({
    resourceDocId: "file:a/hours.md",
    type: "WEBPAGE",
    metaData: { title: "Hours", lang: "en", sourceLine: 5 },
    content: [{ md: "# Open\n\nFrom nine.\n" }],
  });
});

it.each([
  ["the front matter", "---\ntitle: From above\n---\n# Heading\n", "From above"],
  ["the first heading, if the front matter has none", "---\na: 1\n---\nText\n\n# Heading #\n# Next\n", "Heading"],
  ["the first heading, if that of the front matter is blank", "---\ntitle: ' '\n---\n# Heading\n", "Heading"],
  ["the first heading, if that of the front matter is no text", "---\ntitle: [a]\n---\n# Heading\n", "Heading"],
  ["a heading with a carriage return", "Text\r\n# Heading\r\nText", "Heading"],
  ["a heading with a number sign in it", "# C# and F#", "C# and F#"],
  ["no comment in a code block", "```sh\n# install\n```\n~~~~\n# b\n~~~\n# c\n~~~~\n# Heading\n", "Heading"],
  ["no indented code", "    # code\n   # Heading", "Heading"],
  ["no lower heading, no empty one, no hashtag", "## Second\n#\n# #\n#tag\n", "Opening hours"],
  ["the name of the file, if there is nothing else", "Text", "Opening hours"],
  ["the name of the file, rather than a heading without end", `# ${"x".repeat(100_000)}`, "Opening hours"],
])("has its title from %s", (_, text, title) => {
  expect(titleOf(text)).toBe(title);
});

it("is read quickly whatever stands in it", () => {
  expect(titleOf(`# a${" ".repeat(500_000)}b\n${"`".repeat(500_000)}\n${"#".repeat(500_000)}`)).toBe("Opening hours");
});
