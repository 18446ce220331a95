import type { ExplainedPassage, Explanation } from "../../api/types.ts";
import { ScoreBar } from "../../parts/bar.tsx";
import { decimal, number, percent, score } from "../../state/formats.ts";
import { t } from "../../state/preferences.ts";

type Question = Explanation["question"];

/** Each term of the question with its weight, and what it gives the passage. */
export function Terms({ question, passage }: { question: Question; passage: ExplainedPassage }) {
  const words = t.value.explanation;
  if (question.terms.length === 0) return null;
  const held = new Map(passage.terms.map((each) => [each.term, each]));
  const most = Math.max(...passage.terms.map((each) => each.score), 0.001);
  return (
    <table class="table table-small">
      <caption>{words.terms}</caption>
      <thead>
        <tr>
          <th scope="col">{words.term}</th>
          <th scope="col">{words.weight}</th>
          <th scope="col">{words.here}</th>
          <th scope="col" class="number">
            {words.passagesWith}
          </th>
        </tr>
      </thead>
      <tbody>
        {question.terms.map(({ term, share, passages, meant }) => {
          const here = held.get(term) ?? meant?.map((each) => held.get(each)).find((each) => each !== undefined);
          return (
            <tr key={term}>
              <th scope="row">
                {term}
                {meant !== undefined && meant.length > 0 && (
                  <span class="muted cell-note">{words.meant(meant.slice(0, 5).join(", "))}</span>
                )}
              </th>
              <td>{percent(share)}</td>
              <td>
                {here === undefined ? (
                  <span class="muted">{words.notHere}</span>
                ) : (
                  <span class="term-here">
                    <span class="bar bar-short" aria-hidden="true">
                      <span class="bar-fill bar-words" style={{ width: `${(here.score / most) * 100}%` }} />
                    </span>
                    {decimal(here.score, 1)}
                  </span>
                )}
              </td>
              <td class="number">{number(passages)}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** Each token of the question with its weight, and the nearest one in the passage. */
export function Tokens({ question, passage }: { question: Question; passage: ExplainedPassage }) {
  const words = t.value.explanation;
  const pieces = question.rerank?.wordPieces ?? [];
  const matches = passage.rerank?.matches;
  if (matches === undefined || pieces.length === 0) return null;
  const sum = pieces.reduce((all, { weight }) => all + weight, 0);
  return (
    <table class="table table-small">
      <caption>{words.tokens}</caption>
      <thead>
        <tr>
          <th scope="col">{words.token}</th>
          <th scope="col">{words.weight}</th>
          <th scope="col">{words.closeness}</th>
        </tr>
      </thead>
      <tbody>
        {pieces.map(({ wordPiece, weight }, i) => {
          const match = matches[i];
          return (
            // A word piece may stand twice, and the order never changes.
            <tr key={`${wordPiece}${i}`}>
              <th scope="row">{wordPiece}</th>
              <td>{sum === 0 ? score(weight) : percent(weight / sum)}</td>
              <td>{match !== undefined && <ScoreBar value={match.closeness} label={words.closeness} />}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
