/** Case endings of Estonian, behind the vowel that a stem ends with. */
const ESTONIAN_CASES =
  "s st sse l le lt ks ni na ga ta t d de des dest desse del dele delt deks dena dega deta te tes test tesse tel tele telt " +
  "teks tena tega teta id ides idest idel idele ideks idega";
const ESTONIAN_VERBS =
  "ma mine mise mist mised miste misel misele misega da dud tud nud takse tav dav tava dava vad b me te ge ke ks line lise " +
  "list lised liste lik liku likku likud like likult";

/**
 * Endings of nouns, adjectives and verbs, for languages without a maintained Snowball stemmer. They are the endings that a grammar lists,
 * with few that derive other words. They are spelled as folded words are: without accents if the language's profile removes them before stemming.
 */
const ENDINGS: Readonly<Record<string, string>> = {
  be:
    "а е і о у ы я ю ў ь ам ом ем ём ям амі ямі ах ях ых іх ым ім ымі імі ага яга ога аму яму ому ая яя ое ее ую юю ыя ія " +
    "ой ай ей ёй аў яў еў оў аць яць іць ыць ець уць юць аны ана ены ена аныя аных еныя еных анне ання анні аннем енне " +
    "ення енні еннем ала ала алі іў іла ілі еце ыце іце",
  bg:
    "а я о е и у ът та то те ия ият ят ата ята ото ето ите овете ове ища ищата иите ията на но ен ни ния ният ната ното " +
    "ните ена ено ени ения ение ението енията ане ания ането ва ват вате ал ала ало али ил ила или ам им яш еш иш аш ете ат",
  cs:
    "a e i o u y em am um im ym ami emi imi ymi ich ech ach ych ou ovi ove ho eho emu iho imu ova ovou ata atum ete eti " +
    "uje uji ujete ujeme ujes at et it an ana ano ane any en ena eno ene eny eni ani enim anim al ala alo ali aly il ila " +
    "ilo ili ily el ela elo eli ely aji eji ij ej is as es ame eme ime ate ite",
  et: [...ESTONIAN_CASES.split(" "), ...ESTONIAN_VERBS.split(" ")]
    .flatMap((ending) => ["a", "e", "i", "u"].map((vowel) => vowel + ending))
    .concat(["a", "e", "i", "u"], ESTONIAN_VERBS.split(" "))
    .join(" "),
  eu:
    "a ak ek en ren aren an ean etan etako etara etatik tan tako tatik ra ara rako arako tik atik ri ari ei ekin rekin " +
    "arekin ko eko go ta tu du tzen tze tzeko tzea ten te teko tea rik ik z ez az etaz ena enak koa koak koen garri tasun " +
    "tasuna dun duna ago agoa gabe entzat rentzat arentzat",
  lv:
    "s a e i u is us as es am em im um ai ei ie iem os ums uma umu umam umi umiem umus umos ana anas anu anai anam sana " +
    "sanas sanu sanai sanam t tu tie ta tas to tos tajs tais taja tajam tajai tajos ts ti tiem ais aja ajam ajai ajos " +
    "ajiem ajas o ot et it at ojot ejot ojosi ojoss iet jam ja jas jai iet ija ijas iju iska iskas isks iskie igs iga " +
    "igas igu igo igie igi igiem nieks nieka js ju jus ji jiem amies ami amais amas",
  pl:
    "a u owi em ie e y i ow om ami ach o ej emu ego ym im ymi imi ych ich iem iami iach iom ii ia io iu iej iego iemu ac " +
    "ec ic yc uje ujesz ujemy uja any ana ane anych anym anego anej ano ony ona one onych onym onego onej ono al ala alo " +
    "ali aly il yl ila yla ilo ylo ili yli aj ajcie am asz amy acie aja esz emy ecie isz imy icie ysz ymy ycie",
  sk:
    "a e i o u y ov om ou am ami emi imi ymi ich ech ach ych ovi ovia ia iu ie ii im ym iam iach ho eho emu iho imu ej uje " +
    "ujete ujeme uju at et it yt iet an ana ano ane any ani en ena eno ene eny eni enie enia eniu anie ania aniu enim " +
    "anim al ala alo ali aly il ila ilo ili ily el ela elo eli aju eju ame eme ime ate ete ite as es is ata aty",
  sl:
    "a e i o u em om ega emu im ih imi ami ama ema ah eh ov ev oma ijo imo ite ajo amo ate ejo emo ete uje ujejo ujete " +
    "ati iti eti an ana ano ane ani en ena eno ene eni anje anja anju anjem enje enja enju enjem al ala alo ali ale il " +
    "ila ilo ili ile el ela elo eli ja je jo ji jem nega nemu",
};

/** Undoes consonant changes before endings, by language: a pattern and its replacement. */
const SOFTENED: Readonly<Record<string, readonly [RegExp, string]>> = {
  cs: [/c$/, "k"],
  pl: [/i$/, ""],
  sk: [/c$/, "k"],
  sl: [/c$/, "k"],
};

/** The fewest letters of a stem. */
const STEM_LETTERS_MIN = 3;

/** The endings of a language; undefined for a language without a list here. */
export function inflectionsOf(language: string): readonly string[] | undefined {
  return ENDINGS[language]?.split(" ");
}

/** The languages with a list of endings here. */
export function inflectionLanguages(): string[] {
  return Object.keys(ENDINGS);
}

/** A stemmer that removes the longest known ending. Undefined for a language without a list. */
export function inflectionStemmer(language: string): ((word: string) => string) | undefined {
  const endings = inflectionsOf(language);
  if (endings === undefined) return undefined;
  const [known, lengthMax] = [new Set(endings), Math.max(...endings.map(({ length }) => length))];
  const [softened, hard] = SOFTENED[language] ?? [];
  return (word) => {
    let stem = word;
    for (let length = Math.min(lengthMax, word.length - STEM_LETTERS_MIN); length > 0 && stem === word; length--) {
      if (known.has(word.slice(-length))) stem = word.slice(0, -length);
    }
    return softened === undefined ? stem : stem.replace(softened, hard ?? "");
  };
}
