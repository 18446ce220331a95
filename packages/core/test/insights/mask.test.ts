import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { masked, maskedId } from "../../src/insights/mask.ts";
import { isLuhn } from "../../src/insights/mask-numbers.ts";

const LORE_KEY = `lore_0123456789abcdef_${"aB3-x_9Z".repeat(6).slice(0, 43)}`;
const JWT =
  "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U";

describe("what is masked", () => {
  it.each([
    ["Mail jo@example.com about it", "Mail [e-mail] about it"],
    ["jane.doe+tag@mail.example.co.uk?", "[e-mail]?"],
    ["Meine Adresse ist müller@bäckerei.de.", "Meine Adresse ist [e-mail]."],
    ['"jane doe"@example.com', "[e-mail]"],
    ["jane [at] example [dot] com", "[e-mail]"],
    ["jane (at) example.com", "[e-mail]"],
    ["jane at example dot com", "[e-mail]"],
    ["max.mustermann at example punkt de bitte", "[e-mail] bitte"],
    ["user%40example.com", "[e-mail]"],
    ["jo@[192.168.0.1]", "[e-mail]"],
    ["jo＠example.com", "[e-mail]"],
    ["jo\u200B@exam\u00ADple.com", "[e-mail]"],
    ["mailto:jo@example.com", "mailto:[e-mail]"],
    ["jo@ example.com", "[e-mail]"],
    ["jo @ example.com", "[e-mail]"],
    ["jo@\nexample.com", "[e-mail]"],
    ["jo (a) example.com", "[e-mail]"],
    ["jo&commat;example.com", "[e-mail]"],
    ["jo.doe at mail.example dot com", "[e-mail]"],
    ["jo at mail dot example dot com", "[e-mail]"],
  ])("an e-mail address: %s", (text, expected) => expect(masked(text)).toBe(expected));

  it.each([
    ["Call +49 170 1234567 please", "Call [phone] please"],
    ["+1-202-555-0173", "[phone]"],
    ["+44 (0)20 7946 0958", "[phone]"],
    ["0049 170 1234567", "[phone]"],
    ["Meine Nummer ist 0170 1234567", "Meine Nummer ist [phone]"],
    ["01701234567", "[phone]"],
    ["(030) 123456", "[phone]"],
    ["030/1234567 oder 0221-123456", "[phone] oder [phone]"],
    ["020 7946 0958", "[phone]"],
    ["01 23 45 67 89", "[phone]"],
    ["(555) 123-4567", "[phone]"],
    ["1-800-555-0199", "[phone]"],
    ["my number is 5551234567", "my number is [phone]"],
    ["Tel.: 12345", "Tel.: [phone]"],
    ["Rufen Sie mich unter 12345678 an", "Rufen Sie mich unter [phone] an"],
    ["＋４９ １７０ １２３４５６７", "[phone]"],
    ["٠١٧٠ ١٢٣٤٥٦٧", "[phone]"],
    ["0170\u00A0123\u202F4567", "[phone]"],
    ["+ 49 170 1234567", "[phone]"],
    ["00 49 170 1234567", "[phone]"],
    ["(555)1234567", "[phone]"],
    ["Handynr: 1761234567", "Handynr: [phone]"],
    ["meine Telefonnr. ist 8912345", "meine Telefonnr. ist [phone]"],
    ["Tel.-Nr.: 89123456", "Tel.-Nr.: [phone]"],
    ["Ruf mich unter der Nummer 89123456 an", "Ruf mich unter der Nummer [phone] an"],
    ["mein Telefon ist die 89123456", "mein Telefon ist die [phone]"],
    ["Sie erreichen mich unter 89123456", "Sie erreichen mich unter [phone]"],
    ["call me on my cell 89123456", "call me on my cell [phone]"],
  ])("a phone number: %s", (text, expected) => expect(masked(text)).toBe(expected));

  it.each([
    ["card 4111 1111 1111 1111 12/26", "card [card] 12/26"],
    ["4111-1111-1111-1111", "[card]"],
    ["4111111111111111", "[card]"],
    ["378282246310005", "[card]"],
    ["Karte 5500 0000 0000 0004 gesperrt", "Karte [card] gesperrt"],
    ["4111\n1111\n1111\n1111", "[card]"],
    ["4111    1111    1111    1111", "[card]"],
    ["9999, 4111, 1111, 1111, 1111.", "9999, [card]."],
    ["4111*1111*1111*1111", "[card]"],
    ["4111:1111:1111:1111", "[card]"],
    ["3782 * 822463 * 10005", "[card]"],
  ])("a card number: %s", (text, expected) => expect(masked(text)).toBe(expected));

  it.each([
    ["DE89 3704 0044 0532 0130 00 ist meine IBAN", "[account] ist meine IBAN"],
    ["de89370400440532013000", "[account]"],
    ["GB29NWBK60161331926819.", "[account]."],
    ["IBAN: DE00 3704 0044 0532 0130 99", "IBAN: [account]"],
    ["Kontonummer 12345678", "Kontonummer [account]"],
    ["my account number is 12345678", "my account number is [account]"],
    ["sort code 12-34-56", "sort code [account]"],
    ["BLZ 370 400 44", "BLZ [account]"],
    ["IBANDE89370400440532013000", "IBAN[account]"],
    ["DE89  3704  0044\n0532  0130  00", "[account]"],
  ])("an account number: %s", (text, expected) => expect(masked(text)).toBe(expected));

  it.each([
    [`my key ${LORE_KEY} fails`, "my key [key] fails"],
    ["sk-proj-abc123def456ghi789", "[key]"],
    ["ghp_16C7e42F292c6912E7710c838347Ae178B4a", "[key]"],
    ["AKIAIOSFODNN7EXAMPLE", "[key]"],
    [`token ${JWT} end`, "token [key] end"],
    ["Authorization: Bearer abc123def456", "Authorization: Bearer [key]"],
    ["password: hunter2", "password: [key]"],
    ["Passwort ist geheim123", "Passwort ist [key]"],
    ["PIN 4711", "PIN [key]"],
    ["api_key=abcdef", "api_key=[key]"],
    ["d41d8cd98f00b204e9800998ecf8427e", "[key]"],
    ["550e8400-e29b-41d4-a716-446655440000", "[key]"],
    ["https://x.example/reset?token=abc123", "https://x.example/reset?token=[key]"],
    ["VK7JG-NPHTM-C97JM-9MPGT-3V66T", "[key]"],
    ["password:\nhunter2", "password:\n[key]"],
    ["Passwort lautet: hunter2", "Passwort lautet: [key]"],
    ["password was: hunter2", "password was: [key]"],
    ["password -> hunter2", "password -> [key]"],
    ["password (hunter2)", "password ([key])"],
    ["pw: hunter2", "pw: [key]"],
    ["pass: hunter2", "pass: [key]"],
    ["passwd hunter2", "passwd [key]"],
    ["mot de passe : hunter2", "mot de passe : [key]"],
    ['password="hunter 2x" fails', 'password="[key]" fails'],
    ["password: hun;ter2, why", "password: [key], why"],
    ['{"password":"hun,ter2","user":"jo"}', '{"password":"[key]","user":"jo"}'],
    ["CVV 123", "CVV [key]"],
    ["postgres://admin:s3cret@localhost/shop", "postgres://admin:[key]@localhost/shop"],
    ["sk-abcdefghijklmnop", "[key]"],
    ["Bearer abcdefghijklmnopqrst", "Bearer [key]"],
    ["SG.abcdefghijklmnopqrst.uvwxyz1234567890", "[key]"],
    ["wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "[key]"],
    ["-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY----- help", "[key] help"],
  ])("a key: %s", (text, expected) => expect(masked(text)).toBe(expected));
});

describe("what stays readable", () => {
  it.each([
    "Where is order 1234567890?",
    "ORD-2024-000123-DE",
    "INV-2024-11-28-000123-A45",
    "Bestellung 4711 kam nicht an",
    "react@18.2.0 and node 20.19.2",
    "Error 0x80070005, E1234 and HTTP 404",
    "It costs 1,299.00 € or 49.99 in 2024",
    "Öffnungszeiten am 01.02.2024 10:15",
    "2024-11-28 10:15:30",
    "192.168.178.1",
    "Sendung 00340434161094042557",
    "iPhone 15 Pro Max 256GB",
    "getUserByIdFromDatabase2",
    "my-very-long-product-name-2024-edition",
    "https://example.com/Docs/2024/How-To-Reset-Your-Password",
    "Passwort vergessen",
    "password reset does not work",
    "Bearer authentication fails",
    "Why is my account locked since 2024?",
    "Is 22 days ok for a return of the goods?",
    "asiatic food, skating and hf radio",
    "look at our shop at example.com",
    "Rückgabe innerhalb von 14 Tagen?",
    "1 + 1 = 2",
    "What is 3 + 1234567?",
    "Is it open at 10:00 49 weeks a year?",
    "How many in 2024, 2025, 2026, 2027?",
    "Sizes 2000 * 1000 * 3000 * 4000",
    "How do I reach the 10000 points limit?",
    "Meet us @ the office",
    "Should I use (a) node.js or (b) deno?",
    "Where is my boarding pass for 2 people?",
    "Is the pw reset broken?",
    "basic telecommunications for beginners",
    "ssh://host:22 and https://example.com:8080/@jo",
    "SG. Version 2",
    "Kann man den Pass 2024 noch fahren?",
    "",
  ])("%s", (text) => expect(masked(text)).toBe(text));
});

const digits = (min: number, max = min): fc.Arbitrary<string> =>
  fc.stringMatching(new RegExp(`^[0-9]{${min},${max}}$`));
const card = fc.tuple(fc.constantFrom("4", "51", "37", "6011", "3530"), digits(11, 14)).map(([start, rest]) => {
  const body = start + rest;
  return [..."0123456789"].map((check) => body + check).find(isLuhn) ?? body;
});
const spaced = (text: string): string => text.replace(/(\d{4})(?=\d)/g, "$1 ");
const word = fc.stringMatching(/^[a-z]{2,8}$/);
const sensitive = fc.oneof(
  fc
    .tuple(fc.stringMatching(/^[a-z][a-z0-9._-]{0,10}[a-z0-9]$/), word, fc.constantFrom("com", "de", "co.uk"))
    .map(([local, host, top]) => `${local}@${host}.${top}`),
  fc
    .tuple(
      fc.constantFrom("+49", "+1 ", "0049 "),
      digits(8, 11).filter((all) => all[0] !== "0"),
    )
    .map((all) => all.join("")),
  fc.tuple(fc.constantFrom("0170", "(030)", "0221"), digits(6, 7)).map(([area, rest]) => `${area} ${rest}`),
  card,
  card.map(spaced),
  digits(18).map((rest) => `DE${rest}${rest}`.slice(0, 22)),
  fc.stringMatching(/^[0-9a-f]{32,64}$/).filter((hex) => /[a-f]/.test(hex)),
  fc.stringMatching(/^[A-Za-z0-9_-]{43}$/).map((secret) => `lore_0123456789abcdef_${secret}`),
  fc.stringMatching(/^[A-Za-z0-9]{20,40}$/).map((secret) => `sk-${secret}7`),
);
const SENTENCES = ["Please help with", "Ich habe", "why does", "Kann ich", "and then"];

describe("a law of masking", () => {
  it("no password survives behind its word and a sign, in quotes or without", () => {
    const named = fc
      .tuple(
        fc.constantFrom("password", "Passwort", "pw", "pass", "passwd", "Kennwort", "PIN", "api key"),
        fc.constantFrom("", " is", " was", " lautet", " ist"),
        fc.constantFrom(":", "=", " = ", ": ", ":\n", " -> "),
      )
      .filter(([name, says]) => says === "" || name.length > 4)
      .map((all) => all.join(""));
    const quoted = fc.tuple(
      fc.stringMatching(/^[a-z0-9]{3,8} ?[;,.!)(]?[a-z0-9]{3,8}$/),
      fc.constantFrom('"', "'", "`"),
    );
    const bare = fc.tuple(fc.stringMatching(/^[a-z0-9]{3,8}[;,.!)(]?[a-z0-9]{3,8}$/), fc.constant(""));
    fc.assert(
      fc.property(
        named,
        fc.oneof(quoted, bare),
        fc.constantFrom("", " why", ", and then"),
        (name, [secret, quote], after) => {
          const kept = masked(`My ${name}${quote}${secret}${quote}${after}`);
          // A run that looks random is masked with its word.
          expect(kept.replace(/.*\[key\]/s, "")).toBe(`${quote}${after}`);
        },
      ),
      { numRuns: 500 },
    );
  });

  it("a card number is found whatever stands between its groups", () => {
    const groups = card.filter((number) => number.length === 16).map((number) => number.match(/\d{4}/g) ?? []);
    const between = fc.stringMatching(/^[ \n,*:;|/.-]{1,8}$/);
    fc.assert(
      fc.property(groups, between, (all, sign) => {
        expect(masked(`card ${all.join(sign)}!`)).toBe("card [card]!");
      }),
      { numRuns: 500 },
    );
  });

  it("no masked kind survives, wherever it stands", () => {
    const text = fc.tuple(
      fc.constantFrom(...SENTENCES),
      sensitive,
      fc.constantFrom("", "?", " bitte", " is wrong", ". Why", ", ok"),
    );
    fc.assert(
      fc.property(text, ([before, secret, after]) => {
        const kept = masked(`${before} ${secret}${after}`);
        expect(kept).not.toContain(secret);
        expect(kept).toMatch(/\[(?:e-mail|phone|card|account|key)\]/);
        // Not even most of it.
        const rest = kept.replace(/\[[a-z-]+\]/g, "").replace(before, "");
        expect(rest.replace(/\D/g, "").length).toBeLessThan(4);
      }),
      { numRuns: 500 },
    );
  });

  it("what is masked stays as it is when it is masked again", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ maxLength: 200 }), sensitive), (text) => {
        const once = masked(text);
        expect(masked(once)).toBe(once);
      }),
      { numRuns: 500 },
    );
  });

  it("words without numbers and signs stay", () => {
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 12 }), (words) => {
        const text = words.join(" ");
        fc.pre(!/ (?:at|ät) \S+ (?:dot|punkt) /.test(` ${text} `));
        expect(masked(text)).toBe(text);
      }),
    );
  });
});

it("the ids that programs make are kept as they are, those with a person in them are masked and told apart", () => {
  const ids = [
    "4e1f6a0c-5a0b-4f9d-9c1d-2b1f0a3c7d55",
    "4e1f6a0c5a0b4f9d9c1d2b1f0a3c7d55",
    "11111111-1111-4111-8111-111111111111",
    "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
    "Root=1-67891233-abcdef012345678912345678",
    "req-20261129-0001",
  ];
  expect(ids.map(maskedId)).toEqual(ids);
  const [one = "", other = ""] = ["jo@example.com/1", "al@example.com/1"].map(maskedId);
  expect(one).toMatch(/^\[e-mail\]\/1#[\da-f]{5}$/);
  expect(other).not.toBe(one);
});
