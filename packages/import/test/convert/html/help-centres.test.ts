import { describe, expect, test } from "vitest";
import type { Conversion } from "../../../src/convert/conversion.ts";
import { convertHtml } from "../../../src/convert/html/html.ts";

function converted(html: string): Promise<Conversion> {
  return convertHtml({ bytes: new TextEncoder().encode(html), name: "page.html", kind: "html" });
}

const AROUND =
  "<header><a href=/>Pumps Ltd</a></header><nav><ul><li><a href=/a>Products</a><li><a href=/b>Prices</a></ul></nav>";
const FOOTER = "<footer><p>© 2026 Pumps Ltd. All rights reserved.</p></footer>";
const FAQS = [
  { question: "Does it leak?", answer: "No, **never**.\n\n- Not here\n- Not there" },
  { question: "How do I clean it?", answer: "With water. See [the guide](/clean).\n\n1. Open it\n2. Rinse it" },
  { question: "Delivery", answer: "Within 3 days, in `EU` countries." },
];
const ANSWERS = [
  "<p>No, <b>never</b>.</p><ul><li>Not here</li><li>Not there</li></ul>",
  "<p>With water. See <a href=/clean>the guide</a>.</p><ol><li>Open it</li><li>Rinse it</li></ol>",
  "<p>Within 3 days, in <code>EU</code> countries.</p>",
];
const each = (write: (question: string, answer: string, at: number) => string): string =>
  FAQS.map(({ question }, at) => write(question, ANSWERS[at] ?? "", at)).join("");

/** As help centres and their generators write them: what opens an answer differs, and what is around it. */
const PAGES: readonly (readonly [string, string])[] = [
  [
    "details",
    `<main><h1>FAQ</h1>${each((q, a) => `<details><summary><h3>${q}</h3></summary><div>${a}</div></details>`)}</main>`,
  ],
  [
    "an accordion of buttons in headings",
    `<main><h1>Frequently asked questions</h1>${each((q, a, at) => `<div class=accordion-item><h2 class=accordion-header><button aria-expanded=false aria-controls=c${at}>${q}<svg></svg></button></h2><div id=c${at} class="accordion-collapse collapse"><div class=accordion-body>${a}</div></div></div>`)}</main>`,
  ],
  [
    "an accordion of hidden panels by their buttons",
    `<main><h1>FAQs</h1><div class=list>${each((q, a, at) => `<button aria-expanded=false id=b${at}><span>${q}</span><span aria-hidden=true>+</span></button><div role=region aria-labelledby=b${at} hidden>${a}</div>`)}</div></main>`,
  ],
  [
    "an accordion without ids",
    `<main><h1>Common questions</h1><ul>${each((q, a) => `<li><div><button type=button aria-expanded=false>${q}</button></div><div style="display:none">${a}</div></li>`)}</ul></main>`,
  ],
  [
    "microdata",
    `<main itemscope itemtype=https://schema.org/FAQPage><h1>Help</h1>${each((q, a) => `<section itemscope itemprop=mainEntity itemtype=https://schema.org/Question><h3 itemprop=name>${q}</h3><div itemscope itemprop=acceptedAnswer itemtype=https://schema.org/Answer><div itemprop=text>${a}</div></div></section>`)}</main>`,
  ],
  [
    "JSON-LD with HTML in it",
    `<script type=application/ld+json>${JSON.stringify({ "@context": "https://schema.org", "@type": "FAQPage", mainEntity: FAQS.map(({ question }, at) => ({ "@type": "Question", name: question, acceptedAnswer: { "@type": "Answer", text: ANSWERS[at] } })) })}</script><main><h1>Help</h1><div id=app></div></main>`,
  ],
  [
    "a list of terms",
    `<main><h1>Questions &amp; Answers</h1><dl>${each((q, a) => `<dt><a id=x></a>${q}</dt><dd>${a}</dd>`)}</dl></main>`,
  ],
  [
    "a list of terms that open",
    `<main><h1>FAQ</h1><dl>${each((q, a, at) => `<dt><button aria-expanded=false aria-controls=d${at}>${q}</button></dt><dd id=d${at} hidden>${a}</dd>`)}</dl></main>`,
  ],
];

describe("questions with answers of help centres, with all of their markdown", () => {
  test.each(PAGES)("%s", async (_, body) => {
    const { faqs, page } = await converted(`<title>Help</title><body>${AROUND}${body}${FOOTER}`);
    expect(faqs).toEqual(FAQS);
    expect(page?.content[0]?.md ?? "").not.toMatch(/leak|water/);
  });
});

describe("what opens and asks nothing stays content", () => {
  test("below a heading of another kind", async () => {
    const items = each(
      (_, a, at) =>
        `<h3><button aria-expanded=false aria-controls=c${at}>Step ${at}</button></h3><div id=c${at}>${a}</div>`,
    );
    const { faqs, page } = await converted(`<body>${AROUND}<main><h1>Setting it up</h1>${items}</main>${FOOTER}`);
    expect(faqs).toEqual([]);
    expect(page?.content[0]?.md).toContain("### Step 1\n\nWith water.");
  });

  test("a question of a menu", async () => {
    const menu = "<button aria-expanded=false aria-controls=m>More</button><ul id=m hidden><li><a href=/x>X</a></ul>";
    const { faqs } = await converted(`<body>${AROUND}<main><h1>FAQ</h1><p>Ask us.</p>${menu}</main>${FOOTER}`);
    expect(faqs).toEqual([]);
  });
});

describe("a button that opens a part of a page takes nothing of it", () => {
  const items = each(
    (q, a, at) =>
      `<div class=item><h3><button aria-expanded=false aria-controls=p${at}>${q}</button></h3><div id=p${at}>${a}</div></div>`,
  );
  const flat = each((q, a) => `<button aria-expanded=false>${q}</button><div hidden>${a}</div>`);
  const button = (words: string, controls = ""): string => `<button aria-expanded=false${controls}>${words}</button>`;
  test.each([
    ["all of a list", `${button("Expand all", " aria-controls=faq-list")}<div id=faq-list>${items}</div>`],
    ["several panels", `${button("Expand all", ' aria-controls="p0 p1 p2"')}${items}`],
    ["several panels, in words of a question", `${button("Shall we open all?", ' aria-controls="p0 p1 p2"')}${items}`],
    ["nothing that it names", `${button("Show all sections")}<p>Choose what to read.</p>${items}`],
    ["the list after it", `${button("Show all sections")}<div>${items}</div>`],
    ["the panels after it", `${button("Alle aufklappen")}${flat}`],
    ["a topic", `${button("Orders and delivery", " aria-controls=t")}<div id=t>${items}</div>`],
    [
      "a topic of details",
      `${button("Orders", " aria-controls=t")}<div id=t>${each((q, a) => `<details><summary>${q}</summary>${a}</details>`)}</div>`,
    ],
    ["a topic as a question", `${button("What about orders?", " aria-controls=t")}<div id=t>${items}</div>`],
    ["what it stands in", `<div id=w>${button("What next?", " aria-controls=w")}${items}</div>`],
    ["a filter", `${button("Filter by topic")}<p>All of them.</p>${items}`],
    ["a menu of words", `${button("Opening hours")}<p>From 9 to 17.</p>${items}`],
    [
      "what a button within it closes",
      items.replaceAll(/(<div id=(p\d)>)/g, `$1${button("<span aria-hidden=true>×</span>", " aria-controls=$2")}`),
    ],
    [
      "what a second button opens as well",
      items.replaceAll(/(<h3>)(<button.*?<\/button>)/g, "$1$2<span hidden>$2</span>"),
    ],
  ])("%s", async (_, inside) => {
    const { faqs } = await converted(`<title>FAQ</title><body><main><h1>FAQ</h1>${inside}</main>`);
    expect(faqs.map(({ question }) => question)).toEqual(FAQS.map(({ question }) => question));
    expect(faqs.map(({ answer }) => answer)).toEqual(FAQS.map(({ answer }) => answer));
  });

  test("that others name as well, each by another question", async () => {
    const shared = ["Can I pay?", "Can I leave?"].map((q) => button(q, " aria-controls=x")).join("");
    const { faqs, page } = await converted(
      `<body><main><h1>FAQ</h1>${shared}<div id=x><p>Yes, within a week.</p></div></main>`,
    );
    expect(faqs).toEqual([]);
    expect(page?.content[0]?.md).toContain("Yes, within a week.");
  });
});
