import { attribute, classesOf, elementsIn, type HtmlElement, isElement } from "../tree.ts";

/** Elements around a `<pre>` that may name its language. */
const AROUND_MAX = 3;

/** Finds the language of a code block, as documentation generators write it; empty if there is none. */
export function languageOf(pre: HtmlElement): string {
  const [inner] = elementsIn(pre);
  const places = inner?.tagName === "code" ? [inner, pre] : [pre];
  for (let above = pre.parentNode; isElement(above) && places.length < AROUND_MAX + 1; above = above.parentNode)
    places.push(above);
  for (const place of places) {
    const written = attribute(place, "data-lang") ?? attribute(place, "data-language");
    const language = [written, ...classesOf(place).map(named)].find((name) => name !== undefined && NAME.test(name));
    if (language !== undefined) return NONE.has(language) ? "" : language.toLowerCase();
  }
  const classes = classesOf(pre);
  const at = classes.findIndex(
    (name) => name === "sourcecode" || name === "src" || name === "code" || name === "brush:",
  );
  const beside = at < 0 ? undefined : classes[at + 1]?.replace(/;$/, "");
  return beside !== undefined && KNOWN.has(beside) ? beside : "";
}

const NAME = /^[a-z][\w+#.-]{0,20}$/i;
const NONE = new Set(["none", "text", "plaintext", "default", "notranslate", "plain", "output"]);

function named(className: string): string | undefined {
  return /^(?:language|lang|highlight-source|highlight|src|brush)[-:]([\w+#.-]+)$/.exec(className)?.[1];
}

/** Language names that may stand alone beside a class that says "code". */
const KNOWN = new Set(
  (
    "bash sh shell zsh console c cpp c++ java javascript js typescript ts python py ruby rb go rust php perl lua sql html xml css json yaml toml " +
    "ini diff make cmake dockerfile kotlin swift scala haskell lisp elisp emacs-lisp scheme clojure erlang elixir r octave matlab latex tex"
  ).split(" "),
);
