/** The elements of HTML, obsolete ones included. Another name in angle brackets was hardly meant as a tag. */
const NAMES = new Set(
  `a abbr acronym address applet area article aside audio b base basefont bdi bdo bgsound big blink blockquote body br button
  canvas caption center cite code col colgroup data datalist dd del details dfn dialog dir div dl dt em embed fieldset
  figcaption figure font footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe img input ins kbd
  label legend li link main map mark marquee math menu meta meter nav nobr noframes noscript object ol optgroup option output
  p param picture pre progress q rp rt ruby s samp script search section select slot small source span strike strong style
  sub summary sup svg table tbody td template textarea tfoot th thead time title tr track tt u ul var video wbr`.split(
    /\s+/,
  ),
);

/** Strings that a reading takes for tags: in a block of HTML with anything behind the name, elsewhere only with the valid characters. */
const TAGS = { html: /<\/?([a-z0-9][a-z0-9-]*)/gi, text: /<\/?([a-z][a-z0-9-]*)(?=[\s/>])/gi };

/** Whether `text` has names in angle brackets that are no elements of HTML, and that are missing in `seen`, its visible text. */
export function hidesOtherThanTags(text: string, reading: "text" | "html", seen: string): boolean {
  return count(text, TAGS[reading]) > count(seen, TAGS[reading]);
}

function count(text: string, tags: RegExp): number {
  let others = 0;
  for (const [, name = ""] of text.matchAll(tags)) if (!NAMES.has(name.toLowerCase())) others++;
  return others;
}
