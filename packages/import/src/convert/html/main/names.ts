import { attribute, classesOf, elementsIn, type HtmlElement, textIn } from "../tree.ts";
import { wordsOf } from "../words.ts";

/** What class names and ids say about an element, on any site. */
export type NamedAs = "frame" | "links" | "unnamed";

/** The words of the classes and the id. `mw-editsection`, `siteFooter` and `site_footer` have two each. */
function nameWords(element: HtmlElement): ReadonlySet<string> {
  const written = `${attribute(element, "class") ?? ""} ${idOf(element)}`.slice(0, 1_000);
  if (written === " ") return NO_WORDS;
  const words = new Set<string>();
  for (const name of written.split(/\s+/)) {
    if (name === "") continue;
    words.add(name.toLowerCase());
    const parts = name
      .replace(/([a-z])([A-Z])/g, "$1-$2")
      .toLowerCase()
      .split(/[-_:.]+/)
      .filter(Boolean);
    for (const part of parts) if (parts.length === 1 || PARTS.has(part)) words.add(part);
    for (const [at, part] of parts.entries()) words.add(`${part}-${parts[at + 1] ?? ""}`);
  }
  return words;
}
/** Returns the id; empty if it only repeats the element's first heading, as manual generators write it: a section on cookies is no banner. */
export function idOf(element: HtmlElement): string {
  const id = (attribute(element, "id") ?? "").slice(0, 200);
  if (id === "") return "";
  const first = elementsIn(element)[0];
  const heading = first?.tagName === "header" || first?.tagName === "div" ? elementsIn(first)[0] : first;
  if (heading === undefined || !/^h[1-6]$/.test(heading.tagName)) return id;
  const [said, named] = [wordsOf(textIn(heading).slice(0, 300)), wordsOf(id)];
  return said === named || said.replaceAll(" ", "") === named.replaceAll(" ", "") ? "" : id;
}

const NO_WORDS: ReadonlySet<string> = new Set();

/** Names around the content of any page. A word with a dash is two consecutive words of one name. */
const FRAME = setOf(
  "share share-buttons share-links share-icons share-bar share-tools social-links social-icons social-media social-share breadcrumb breadcrumbs crumbs cookie cookies consent gdpr onetrust cookiebot cookieconsent navbar navheader navfooter navigation topnav " +
    "bottomnav subnav sidenav nav sphinxsidebar sidebar offcanvas pagination pager prevnext prev-next previous-next share sharing social " +
    "sharedaddy addtoany newsletter subscribe signup advert advertisement ads adsense banner-ad promo sponsor sponsors disqus " +
    "printfooter catlinks mw-jump mw-navigation mw-editsection editsection navbox headerlink anchorjs copybtn linenos " +
    "skip-link skip-links skiplink skip-to skip-nav sr-only visually-hidden visuallyhidden screen-reader screenreader " +
    "site-header site-footer page-footer global-header global-footer global-nav footer copyright masthead topbar colophon edit-page edit-this edit-link " +
    "edit-on helpful feedback rating was-this back-to toplink top-link language-switcher language-picker version-switcher versions-switcher search-box searchbox " +
    "search-form site-search popup modal overlay toolbar print-only noprint jump-links comments comment-respond respond " +
    "related-posts related-articles related-topics related-pages related-content similar-articles recently-viewed page-toc toc-container localtoc " +
    "theme-doc-toc tableofcontents on-this md-sidebar md-header md-footer md-tabs vpnav vpsidebar vplocalnav vpfooter docs-nav " +
    "nav-panel node-menu quickview page-header page-metadata article-votes article-share article-relatives article-more",
);

/** Names of frames if the element is a list of links, and of content if not. */
const IF_LINKS = setOf(
  "toc toctree toctree-wrapper contents shortcontents section-toc menu menu-comment header related seealso tags categories langs up-down path next previous prev " +
    "topsection links-list site-map sitemap meta post-meta entry-meta lang-sel summary-list header-panel breadcrumbsbar nav-list navlinks index-links mini-toc",
);

/** Single words that also count within longer names: `page-breadcrumbs`, `cookie-banner`. */
const PARTS = setOf(
  "breadcrumb breadcrumbs cookie cookies consent gdpr onetrust pagination pager navbar sharing newsletter disqus skiplink feedback helpful " +
    "toc toctree menu langs editsection",
);

export function namedAs(element: HtmlElement): NamedAs {
  let as: NamedAs = "unnamed";
  for (const word of nameWords(element)) {
    if (FRAME.has(word)) return "frame";
    if (IF_LINKS.has(word)) as = "links";
  }
  return as;
}

/** Containers of the content, as documentation generators, help centres, wikis and blogs name them; the narrowest first. */
const CONTENT = [
  "mw-parser-output mw-content-text wiki-content theme-doc-markdown vp-doc md-content__inner md-content sl-markdown-content markdown-body rst-content " +
    "article__body article-body article__content article-content entry-content post-content post-body entry-body blog-post content-body " +
    "documentwrapper bodywrapper docs-content doc-content td-content page__content",
  "main-content maincontent main_content mw-body bodycontent page-content pagecontent content__body documentation-content",
  "content main primary article document contents body-content page-body",
].map(setOf);

/** How narrowly the name says "content": 0 is the narrowest; undefined if it does not. */
export function contentRank(element: HtmlElement): number | undefined {
  const names = [...classesOf(element), (attribute(element, "id") ?? "").toLowerCase()];
  const rank = CONTENT.findIndex((known) => names.some((name) => known.has(name)));
  return rank < 0 ? undefined : rank;
}

function setOf(words: string): ReadonlySet<string> {
  return new Set(words.split(" "));
}
