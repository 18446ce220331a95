/**
 * Question words by language. Texts seldom hold them, so their idf would be as high as that of the words that matter.
 * Japanese has none here: its question words are in hiragana, whose terms weigh little anyway. Thai has none: their letter pairs occur in many other words.
 */
const QUESTION_WORDS: Readonly<Record<string, string>> = {
  af: "wat watter wie wanneer waar waarom hoe hoeveel",
  ar: "ما ماذا من متى أين لماذا كيف كم هل أي",
  az: "nə kim hansı nə necə niyə harada haçan neçə",
  be: "што хто які якая якое дзе калі чаму як колькі",
  bg: "какво кой коя кое кои кога къде защо как колко",
  bn: "কি কী কে কোন কখন কোথায় কেন কীভাবে কিভাবে কত",
  bs: "šta tko ko koji koja koje kada gdje zašto kako koliko",
  ca: "què qui quin quina quins quines quan on com quant per",
  cs: "co kdo který která které jaký jaká jaké kdy kde proč jak kolik",
  cy: "beth pwy pa pryd ble pam sut faint",
  da: "hvad hvem hvilken hvilket hvilke hvornår hvor hvorfor hvordan",
  de: "was welch welche welcher welches welchen welchem wer wen wem wessen wann wo warum wieso weshalb wie wohin woher womit wodurch wofür worauf woraus wovon wozu",
  el: "τι ποιος ποια ποιο ποιοι ποιες πότε πού γιατί πώς πόσο πόσα",
  eo: "kio kiu kiuj kiam kie kial kiel kiom",
  es: "qué quién quiénes cuál cuáles cuándo dónde cómo cuánto cuánta cuántos cuántas",
  et: "mis kes milline missugune millal kus miks kuidas mitu",
  eu: "zer nor zein noiz non zergatik nola zenbat",
  fa: "چه چی کی کدام کجا چرا چگونه چطور چند آیا",
  fi: "mikä mitä mitkä kuka ketkä milloin koska missä miksi miten kuinka",
  fil: "ano sino alin kailan saan bakit paano ilan",
  fr: "que quoi qui quel quelle quels quelles quand où pourquoi comment combien est-ce",
  ga: "cad cé cathain cá conas",
  gl: "que quen cal cales cando onde como canto",
  gu: "શું કોણ કયા કયો ક્યારે ક્યાં કેમ કેવી કેટલા",
  he: "מה מי איזה איזו אילו מתי איפה היכן למה מדוע איך כיצד כמה האם",
  hi: "क्या कौन कौनसा किस किसने किसे कब कहाँ कहां क्यों कैसे कितना कितने कितनी",
  hr: "što tko koji koja koje kada gdje zašto kako koliko",
  hu: "mi mit ki kit melyik mikor hol miért hogyan mennyi hány milyen",
  hy: "ինչ ով որ երբ որտեղ ինչու ինչպես քանի",
  id: "apa apakah siapa mana kapan dimana mengapa kenapa bagaimana berapa",
  is: "hvað hver hvaða hvenær hvar hvers hvernig",
  it: "che cosa chi quale quali quando dove perché come quanto quanta quanti quante",
  ka: "რა ვინ რომელი როდის სად რატომ როგორ რამდენი",
  kk: "не кім қай қандай қашан қайда неге қалай қанша",
  ko: "무엇 누구 언제 어디 왜 어떻게 얼마",
  lt: "kas ką kuris kuri kada kur kodėl kaip kiek koks",
  lv: "kas kurš kura kad kur kāpēc kā cik kāds",
  mk: "што кој која кое кога каде зошто како колку",
  mr: "काय कोण कोणता केव्हा कुठे का कसे किती",
  ms: "apa siapa mana bila mengapa kenapa bagaimana berapa",
  ne: "के को कुन कहिले कहाँ किन कसरी कति",
  nl: "wat wie welk welke wanneer waar waarom hoe hoeveel",
  no: "hva hvem hvilken hvilket hvilke når hvor hvorfor hvordan kva kven korleis kvifor",
  pa: "ਕੀ ਕੌਣ ਕਿਹੜਾ ਕਦੋਂ ਕਿੱਥੇ ਕਿਉਂ ਕਿਵੇਂ ਕਿੰਨਾ",
  pl: "co czym kto który która które jaki jaka jakie kiedy gdzie dlaczego jak ile czy",
  pt: "que quê quem qual quais quando onde porque como quanto quanta quantos quantas",
  ro: "ce cine care când unde de cum cât câtă câți câte",
  ru: "что кто какой какая какое какие каков когда где куда почему зачем как сколько",
  sk: "čo kto ktorý ktorá ktoré aký aká aké kedy kde prečo ako koľko",
  sl: "kaj kdo kateri katera katero kdaj kje zakaj kako koliko",
  sq: "çfarë kush cili cila kur ku pse si sa",
  sr: "шта ко који која које када где зашто како колико šta ko koji koja koje kada gde zašto kako koliko",
  sv: "vad vem vilken vilket vilka när var varför hur",
  sw: "nini nani ipi gani lini wapi kwa vipi ngapi",
  ta: "என்ன யார் எது எப்போது எங்கே ஏன் எப்படி எத்தனை",
  te: "ఏమి ఎవరు ఏది ఎప్పుడు ఎక్కడ ఎందుకు ఎలా ఎన్ని",
  tr: "ne kim hangi nasıl neden niçin niye nerede ne zaman kaç mi mı mu mü",
  uk: "що хто який яка яке які коли де куди чому як скільки",
  ur: "کیا کون کب کہاں کیوں کیسے کتنا کتنے",
  uz: "nima kim qaysi qachon qayerda nega qanday qancha",
  vi: "gì ai nào đâu sao",
  zh: "什么 什麼 谁 誰 哪 哪个 哪裡 哪里 何时 为什么 為什麼 怎么 怎麼 如何 多少",
};

/** Languages whose question words are not stemmed. All their forms stand above, and their stems equal those of other words, such as to eat or to comment. */
const BY_FORM = new Set(["ar", "es", "fr", "it", "pt", "ro"]);

/** Whether question words of a language are recognised by their whole form, not by their stem. */
export function asksByForm(language: string): boolean {
  return BY_FORM.has(language);
}

/** The question words of a language, as one text; empty for a language without any here. */
export function questionWordsOf(language: string): string {
  return QUESTION_WORDS[language === "tl" ? "fil" : language] ?? "";
}
