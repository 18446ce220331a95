import { FakeBot } from "./fake-bot.ts";
import type { FakeServer } from "./fake-server.ts";

const ARTICLES: readonly (readonly [string, string, string])[] = [
  [
    "Refunds",
    "# Refunds\n\nA refund takes three working days after the parcel has arrived.\nThe money comes back the way you paid.\n\n## Sale items\n\nSale items are refunded as a voucher.\n\n## What we need\n\n- the order number\n- a photograph, if the item is damaged",
    "https://shop.example.com/refunds",
  ],
  [
    "Delivery times and costs",
    "# Delivery\n\nParcels arrive on the next working day if you order before 14:00.\n\nDelivery is free from 40 euros. Below that it costs 4.90 euros.\n\n## Abroad\n\nParcels to Austria and Switzerland take three to five working days.",
    "https://shop.example.com/delivery",
  ],
  [
    "Changing an order",
    "You can change an order for thirty minutes after you placed it.\n\nOpen *My orders*, choose the order, and press *Change*. Afterwards, send it back for a refund.",
    "https://shop.example.com/orders",
  ],
  [
    "Gift cards",
    "Gift cards are valid for three years.\n\nThey cannot be exchanged for money. A refund of an order paid by gift card goes back to the card.",
    "",
  ],
  [
    "Warranty",
    "The warranty covers two years from the day of delivery.\n\nKeep the invoice: a repair needs the order number.",
    "",
  ],
  ["Paying by invoice", "You can pay by invoice within fourteen days.\n\nReminders cost 3 euros each.", ""],
];

/** A shop with articles, imported files, gaps, golden questions and runs. */
export function fillDemo(server: FakeServer): FakeBot {
  const shop = new FakeBot("shop");
  server.bots.push(shop, new FakeBot("handbook"));
  const ids = ARTICLES.map(
    ([title, body, source]) => shop.write({ title, body, ...(source && { source }) }, undefined).id,
  );
  for (const [i, name] of ["Opening hours", "Returns form", "Size chart", "Privacy", "Terms"].entries()) {
    const resourceDocId = `file:site/${name.toLowerCase().replace(" ", "-")}.md`;
    const content = [
      { md: `# ${name}\n\nThe page about ${name.toLowerCase()} of the shop, with all that customers ask.` },
    ];
    const type = ["WEBPAGE", "PDF", "TABLE", "WEBPAGE", "DOCUMENT"][i] ?? "DOCUMENT";
    shop.documents.set(resourceDocId, {
      resourceDocId,
      type,
      status: i === 3 ? "inactive" : "active",
      metaData: { title: name },
      content,
      source: "site",
    });
  }
  for (const question of [
    "Do you ship to Norway?",
    "ship to Norway",
    "Is there a teacher discount?",
    "Can I collect it in Berlin?",
    "Which courier brings my parcel on weekends?",
    "Which courier brings my parcel on weekends?",
  ])
    shop.ask(question);
  shop.vocabulary = {
    synonyms: ["refund, money back, reimbursement", "parcel => delivery, shipment"],
    pins: [{ question: "how do I return *", document: ids[0] }],
    ignored: ["hello", "please"],
  };
  shop.golden = [
    { question: "How long does a refund take?", expected: [{ id: ids[0] ?? "" }] },
    { question: "When do parcels arrive?", expected: [{ id: ids[1] ?? "" }] },
    { question: "Can I change an order?", expected: [{ id: ids[2] ?? "" }] },
    { question: "How long are gift cards valid?", expected: [{ id: ids[3] ?? "" }] },
    { question: "Do you ship to Norway?", expected: [{ id: ids[1] ?? "" }] },
  ];
  for (const ndcgAt10 of [0.71, 0.74, 0.73, 0.79]) {
    const run = shop.run(undefined);
    Object.assign(run, { measures: { ndcgAt10, mrrAt10: ndcgAt10 - 0.03, recallAt10: ndcgAt10 + 0.08 } });
  }
  shop.findings = {
    neverFound: [{ id: ids[5], title: "Paying by invoice" }],
    nearDuplicates: [
      { ids: [ids[0], "file:site/returns-form.md"], titles: ["Refunds", "Returns form"], similarity: 0.91 },
    ],
    contradictions: [
      {
        ids: [ids[1], "file:site/terms.md"],
        titles: ["Delivery times and costs", "Terms"],
        lines: ["Delivery is free from 40 euros.", "Delivery is free from 50 euros."],
        reason: "numbers",
      },
    ],
    weeks: [
      { week: "2026-W46", questions: 214, gaps: 31, helpful: 48, unhelpful: 9 },
      { week: "2026-W47", questions: 260, gaps: 22, helpful: 61, unhelpful: 7 },
    ],
  };
  server.alerts = [
    {
      name: "LoredexQuotaNearlyUsed",
      severity: "warning",
      meaning:
        "A bot has used more than nine tenths of its characters. Its owners cannot add much more: raise the quota, or delete articles.",
      bots: ["handbook"],
    },
  ];
  return shop;
}
