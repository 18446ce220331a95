import type { FilterValue, SearchResult } from "@loredex/client";
import { useState } from "react";
import { highlighted } from "./highlight.ts";
import { type Chosen, type Facet, FIELDS, type Knowledge } from "./knowledge.ts";
import { SearchBox } from "./search-box.tsx";
import { type Search, useSearch, useSuggestions } from "./use-search.ts";

const NOTHING: Chosen = {};

export function App({ knowledge }: { readonly knowledge: Knowledge }) {
  const [typed, setTyped] = useState("");
  const [chosen, setChosen] = useState(NOTHING);
  const [search, retry] = useSearch(knowledge, typed, chosen);
  const suggestions = useSuggestions(knowledge, typed);
  const { answer, problem } = search;

  function toggle(field: string, value: FilterValue) {
    const values = chosen[field] ?? [];
    const changed = values.includes(value) ? values.filter((each) => each !== value) : [...values, value];
    setChosen({ ...chosen, [field]: changed });
  }

  return (
    <main aria-busy={search.state === "searching"}>
      <h1>Help</h1>
      <SearchBox value={typed} suggestions={suggestions} onChange={setTyped} />
      <p role="status">{toldOf(search)}</p>
      {problem && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
      {Object.entries(FIELDS).map(([field, name]) => (
        <Choices
          key={field}
          name={name}
          facets={answer?.found.facets[field] ?? []}
          chosen={chosen[field] ?? []}
          onToggle={(value) => toggle(field, value)}
        />
      ))}
      {answer && (
        <ol className="results">
          {answer.found.results.map((result) => (
            <Result key={result.resourceDocId} result={result} question={answer.question} />
          ))}
        </ol>
      )}
    </main>
  );
}

/** The status of the search. Screen readers read it when it changes. */
function toldOf({ state, answer, problem }: Search): string {
  if (problem) return problem.message;
  if (state === "searching") return "Searching …";
  if (answer === undefined) return "";
  const shown = answer.found.results.length;
  const { total = shown } = answer.found;
  if (total === 0) return "Nothing was found.";
  return `${total} ${total === 1 ? "page" : "pages"} found${total > shown ? `, the best ${shown} are shown` : ""}.`;
}

interface ChoicesProps {
  readonly name: string;
  readonly facets: readonly Facet[];
  readonly chosen: readonly FilterValue[];
  onToggle(value: FilterValue): void;
}

/** The values by which users narrow the results. Chosen ones stay, so that they can be taken back. */
function Choices({ name, facets, chosen, onToggle }: ChoicesProps) {
  const missing = chosen.filter((value) => !facets.some((facet) => facet.value === value));
  const shown = [...facets, ...missing.map((value) => ({ value, count: 0 }))];
  if (shown.length === 0) return null;
  return (
    <fieldset>
      <legend>{name}</legend>
      {shown.map(({ value, count }) => (
        <label key={`${typeof value} ${value}`}>
          <input type="checkbox" checked={chosen.includes(value)} onChange={() => onToggle(value)} />
          {String(value)} ({count})
        </label>
      ))}
    </fieldset>
  );
}

function Result({ result, question }: { readonly result: SearchResult; readonly question: string }) {
  const { resourceDocId, url, metaData, similarTextParts } = result;
  const title = String(metaData.title ?? resourceDocId);
  // A document's address is what its author wrote: only addresses of pages become links.
  const isPage = url !== undefined && /^https?:/i.test(url);
  return (
    <li>
      <h2>{isPage ? <a href={url}>{title}</a> : title}</h2>
      {similarTextParts.map(({ text, start, stop }) => (
        <figure key={start}>
          <blockquote>
            {highlighted(text, question).map((piece, at) =>
              // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text keep their order
              piece.isMarked ? <mark key={at}>{piece.text}</mark> : piece.text,
            )}
          </blockquote>
          <figcaption>{start === stop ? `Line ${start}` : `Lines ${start} to ${stop}`}</figcaption>
        </figure>
      ))}
    </li>
  );
}
