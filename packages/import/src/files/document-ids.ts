import { createHash } from "node:crypto";

/** The suffix of a question's id, after the id of its file or page. */
const QUESTION = /#qna-[0-9a-f]{16}$/;

/** Returns the id of a question with an answer. A changed answer keeps the id; a changed question gets a new one. */
export function questionIdOf(fileId: string, question: string): string {
  const hash = createHash("sha256").update(question.trim()).digest("hex").slice(0, 16);
  return `${fileId}#qna-${hash}`;
}

/** Returns the id of the file that a document comes from. */
export function fileIdOf(id: string): string {
  return id.replace(QUESTION, "");
}
