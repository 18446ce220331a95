import { createHash } from "node:crypto";

/** What a question with an answer has behind the id of the file or page that it stands in. */
const QUESTION = /#qna-[0-9a-f]{16}$/;

/** The id of a question with an answer: another answer keeps it, another question has a new one. */
export function questionIdOf(fileId: string, question: string): string {
  const hash = createHash("sha256").update(question.trim()).digest("hex").slice(0, 16);
  return `${fileId}#qna-${hash}`;
}

/** The id of the file that one of its documents comes from. */
export function fileIdOf(id: string): string {
  return id.replace(QUESTION, "");
}
