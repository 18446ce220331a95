import { expect, it } from "vitest";
import { convertMarkdown } from "../../../src/convert/markdown/markdown-file.ts";

const file = (text: string, name = "Opening hours.md") => ({
  bytes: Buffer.from(text),
  name,
  kind: "markdown" as const,
});

async function titleOf(text: string): Promise<unknown> {
  return (await convertMarkdown(file(text))).page?.metaData.title;
}

it("becomes a page whose lines are those of the file, shifted by sourceLine", async () => {
  const text = "---\ntitle: Hours\nlang: en\n---\n# Open\n\nFrom nine.\n";
  expect(await convertMarkdown({ ...file(text), type: "WEBPAGE" })).toEqual({
    page: {
      type: "WEBPAGE",
      metaData: { title: "Hours", lang: "en", sourceLine: 5 },
      content: [{ md: "# Open\n\nFrom nine.\n" }],
    },
    faqs: [],
    notes: [],
  });
});

it("is read as it was written, which is said where it had to be guessed", async () => {
  const bytes = Buffer.from(
    "# Gr\u00fc\u00dfe aus K\u00f6ln\n\nWir m\u00f6gen \u00c4pfel und \u00d6l f\u00fcr \u00fcber drei\u00dfig G\u00e4ste.\n",
    "latin1",
  );
  const { page, notes } = await convertMarkdown({ ...file(""), bytes });
  expect(page?.metaData.title).toBe("Gr\u00fc\u00dfe aus K\u00f6ln");
  expect(notes).toEqual([expect.stringContaining("windows-1252")]);
  await expect(convertMarkdown({ ...file(""), bytes: Buffer.from([1, 2, 0, 4]) })).rejects.toThrow(
    "the file is no text",
  );
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
])("has its title from %s", async (_, text, title) => {
  expect(await titleOf(text)).toBe(title);
});

it("is read quickly whatever stands in it", async () => {
  expect(await titleOf(`# a${" ".repeat(500_000)}b\n${"`".repeat(500_000)}\n${"#".repeat(500_000)}`)).toBe(
    "Opening hours",
  );
});
