import { inflectionsOf } from "./inflections.ts";

/**
 * Endings that stemming removes, most frequent first, by language. They cover most stems of Snowball's sample vocabulary
 * (97 of 100, if 120 endings are enough). The search for typing mistakes builds words from stems with them.
 */
const ENDINGS: Readonly<Record<string, string>> = {
  da:
    "e er en s et es erne t ene ens ende te ernes ere else ers ig ige ets eren me ter hed igt ke elig tes " +
    "enes mer ker lige lig tet elige eligt ligt elsen ket ten ken men erens ighed le ler de ger ge elser pe " +
    "mes fer ner der heds kes met let per eret eres elsens heden tige re se terne lighed iges tig set les len " +
    "ret rer pen kerne mende ne get elses det mens igheds ser ges pet erede elighed den igheden merne telse " +
    "tende igere feret endes melse tighed tigt tens mene net melige hedens gen teren perne ferets iger fe " +
    "heder nerne tere kelig melig ighedens telser nen nes",
  de:
    "en e er es ung s ern ig igen em ungen end ens lich enen ige enden eren ene ende ers st igkeit ere lichen " +
    "keit liche ischen sten iger ste ische isch est iges ener lichkeit enes liches enheit licher eres heit " +
    "este erer igung ender se",
  el:
    "η α ο ες ης ος ιας ιες ικος ικη ικης ικοι ικους ικες ων ει ας ου ους ια ουν οι ε ικο ικα αν ι εις ικων εται ηκε ικου ιου ιων οντας ονται ατα " +
    "ηκαν εων ησε ονταν οταν ατος ησει ισμο ισμου ηθηκε ησαν ατων ουσε ηθει ισμος ωντας εως ουσαν ω ησουν " +
    "ηθηκαν ουμε ισε ιζει ισει ιστες ωθηκε ουνται ηθουν ιζουν για ιστης ιστη ισαν ωθηκαν οτερο ισουν ιζε " +
    "ουνταν οτερη ιστων αει οτερα ουσα ιζαν",
  es:
    "a o e es os as ar ado an ó ados ada aron en ación ando adas ía er arse ará ido ió aba ir arán amos idad " +
    "ieron aban aciones ida iendo ista ara idos amente arlo aría istas idas ante ismo mente é ador antes ían " +
    "ad ería emos ivo able arle iera iva amiento irse adores aran arla irá arlos á idades imos irán oso " +
    "ándose adora osa arnos osas erá ieran ivos erse í ías ables osos imiento ivas arían ear erán arme ue " +
    "arlas icación emente ible aremos eado ica iría adoras ibles adamente ativa arles amientos erlo íamos " +
    "osamente eando ancia aré ativos ivamente iéndose eados",
  fi:
    "en in a n ia an i t ista at een et e aa ta ien iin issa ä sta ille iä aan ssa esta illa assa ät än istä " +
    "it ja essa asta eet ti jen ella alla ää lla elle eksi tä lle ina on si iksi issä ana ään ee esti na aksi " +
    "tiin estä eita ksi ihin ena eiden illä alle iden stä ka taan ita ansa essä aista ilta ellä nan ässä " +
    "eista ensa l eja nsa u taa un elta ni ssä kaa lta ästä änä ki eitä alta enä inä kin lin asti eille ällä " +
    "itä kaan nin eissa li ensä tää llä lista tia mme eihin eensa eilla etta ssaan eessa äksi",
  fr:
    "e es s er é ait a ée ant és aient ement ez ie ées i ion èrent it ation ais era ir erait ité is ante erai " +
    "ies ions ers le ique able ne ai ants iez ât te as ations ère ance les x euse irent erez eux ements erais " +
    "antes eront issait iques nes ables issant eait tes eraient ive eusement issement ères ément isme ités ea " +
    "ira ner né if lement irait ateur erons tion ïque euses eant nait ablement nés issaient issent née ît na " +
    "ïsme iment eras amment ment ication ateurs ïques iste eaient ances asse lé naient ives nement",
  ga:
    "ach each adh áil eacht acht irí eadh eachta aíocht tear aíochta achta ain tar íocht faidh eamh amh " +
    "íochta imid aibh fidh imh aimid aire",
  hi: "ी ा ों े ो ि ता ियों ू ें ाई ु ने ना ाओं ती ियाँ कर ् ाना ते ियां ाने नी ई ाया ए ीं ाएं ाता ाकर ाते ाए " + "ाती आ ां",
  hu:
    "t i a e ek ok ja ak nak át em nek unk et ik ra en ét am k ban re ünk at om on ának ben an okat eket ára " +
    "ot uk ének ük ával ére ai ba ból hoz ában ével sal ját ról nál án juk ia ához okkal ében ről be ként tól " +
    "ekkel sel hez áról je m n é ből ei éhez jük től ul ait oknak ül ie it kat éről jának eit okra ába val " +
    "ért ig enek eknek ekre nél én d ából anak ök okban akat vel ekben ekről kor okhoz einek ától éből adt " +
    "ján okon étől ánál jában eken jára ön iuk gal ébe od ad okból",
  hy:
    "ին ի ան ում ը ական ն ների ությունը ուն ները ել ներ ամբ ության ված ա ելու ով վում ից ումը իկ վել եցին ու " +
    "ց ությունն եր ար ներից ությունից ությունների ակ ելով երի ք անը ներին անի ությունները եց ություններ ալ " +
    "ներով երը վեց ակի ներն իչ անում ումից են ավոր ությանը ներում ումն ատ ակը անական անների ումների " +
    "ություններից արի աններ դ ակների ումներ անները ությունում ումները ություններով ինի իվ վելով ություններին " +
    "արը ակներ ելիս քում ակները ացի վի ինը անն անության նել ցնել ելի ցիա ություններում ականության երում " +
    "ություններն ակում ելը ումով ելուց արների աց անին անից ակից քի ալի ատի ակով իկի երով իկների ենի քը երից " +
    "իչների ուկ աների յական անք պես աններից",
  id: "nya i an kan annya lah inya ku",
  it:
    "i e o a ato are ia ata io ati ate ano ando ava ò ar ere azione arsi ie ito endo ità amente à eva ita " +
    "avano ire ono erà hi ica iato iva ico iti amento iare he asse azioni arlo iamo evano iata ante mente ì " +
    "ici è imento ite arono arla iano iati ersi uto andosi erebbe anti iche iate ivo eranno uta isce abile " +
    "ete ismo erò iere ista osi oso isti iò arne osa iava ir atori atore erlo uti amenti arli iando assero " +
    "arvi ute anza iar ivi arle imenti armi ibile eremo ivano ive arci endosi iavano erla abili emente evi " +
    "essero erne argli ioso irsi hia irà iarsi iscono zione hio",
  lt:
    "o as ų a ą ių ai ė os is ės us iai u io e ę į ius ti ais ui iu iais oje es i ęs ams ėje omis davo uose " +
    "ia ėmis ios ama amas uoti ose inti ys ant yti iuose ėjo damas yje iams ei ami ėse usi iškai oms iame " +
    "amos ūs uotas iui ojo uoja uota dami jama aus antis ią ėti intas ėms jamas iam osi ingas s inta ytas ėja " +
    "yta ies dama žių asis iškas jami ias ki iems inga ančių oti iaus iška iškos iant amų ieji žio žiai uotos " +
    "imi antys ame ųjų jamos osios ytų ingai ingi oji ytos oja ančios intos iumi ėsi iškų ingų ingą",
  ne:
    "नु नुहुन्छ थ्यो ने नेछ लान् दा दै छन् थिन् नुहुनेछ नुपर्छ छिन् थिस् छ्यौ थ्यौ छेस् दैछन् को नुभयो दो छ " +
    "ले दैथिए यो ेको दैथ्यो नुहोस् िएका िएको नेछु थी नेछन् नुपर्यो थिइस् दैथियो िन्छ छस् नुपर्नेछ दी नेहरु मा " +
    "लाई ियो िदा ेका का छौ थे दैहुनेछ हरू छु छे यौ नेछिन् नेछेस् नुपर्दा िस् दैथिन् िएकी ेकै ेछौ हरु नेछौ िदो " +
    "नेहरुले िछस् िदै ेछन् ेकी ेछ ेछस् नेहरूलाई हरूले नुपर्थ्यो दैछ िछन् ेछु नेछस् दैथी दैहुन्छ नेहरुको " +
    "नेछ्यौ दियो दाभयो दैथ्यौ िछौ थियो थियौ देखि नुपर्नेथ्यो हरूलाई नुपर्ने िछ दैछिन् नेभयो नेलाई दैछ्यौ " +
    "नेमाथि दैथिस् नेहरुमाथि माथि देखिको हरुलाई दैथियौ दैछस् दैथे हरुले सँग थिए छौं नेको देखीको दैछेस् इछस् " +
    "एछन् नुपर्नेहुन्छ िएकाहरु पछि नुका",
  nl:
    "en e s ing ingen ende end ig ige se ken heid ten te elijk igheid iging elijke baar bare igen ings de " +
    "lijk elijkheid",
  no:
    "e er en et ene a ar es ende s t ast ane ig ens else te ige ande lig ets ede het elig elsen enes ers " +
    "elser leg lige lege ighet",
  pt:
    "o a e os as es ar ado ia ou ada ados am ando i adas ação er em aram ava ido ica ida ias á ais ir ico " +
    "idade ei amente avam ista idos ações aria eu endo iam amos ante icos idas iu icas ismo ador mente is " +
    "eram indo asse amento istas ável antes adores ivo oso ará ê iva ara era iram osa ares imento adora é eis " +
    "áveis eria arem emos idades ivos osos imos esse ivas icamente ível ear assem emente erem ue osas eado " +
    "erá ância amentos ea ariam iais ó iar ativa í arão adamente ativo eia",
  ro:
    "i ă e a ii ul ie are at ele ile ilor ului ată ea area ia ate ez ic it ică ează esc aţi elor ire eze iei " +
    "ice ăm iile ită itate eşte aţie ica ură ici ite ească abil iţi ata ator iilor irea au abilă ant ere aţii " +
    "im itatea ară ui atoare os ind or ător antă eşti eau abile em ătoare itor ita erea ităţii iv oasă eţi " +
    "oare itoare ând ităţi ivă ase ezi ante aţia abili am abila ive se atori ori ători ios atul iul ise ativ " +
    "ut anta oase iat eam aţiei aţiile itori ioasă abilitate ându oşi ativă ative ibil ivi icii iţii ute ută " +
    "aţiune ităţile ioase iva",
  ru:
    "а и у е о ой ом ая ь ы л ть ый ие ить ла ий ет ил ого ые ым ое ую ия ами ли ит ых ов ю ей я ах лся ся " +
    "ила ем им ен ою ился ться ии или ют ется ее лась ам лись их ию ится ыми ите ный ят илась иться й ием ью " +
    "ись ому ив ло ья но ились ье ишь аясь ные лось ной илось ных ешь ась ости ная ным ете ное ются ило ного " +
    "в ость ена н юсь ими ены ься ясь его на ено йте ны ев яя нный ятся ует ями ную ею ившись ьем ось итесь " +
    "усь ях ном нные нная ьи",
  sr:
    "a e i u om o ih og im oj ima ama li la ti n le m lo jem ost mo no iji ije ju ija te š ao em ijih h aju " +
    "ijim jući iju ala ati ali ijeg an ući t oga še emo ni ijem j vši ale alo",
  sv:
    "a en e ar ade er s ande t at ad as or ens arna are es ligt liga ig iga lig igt erna het ades orna else " +
    "ta aren arne aste te d lighet ligen ten na ighet ern de ter andet da elsen elser heten arnas ligaste " +
    "ligare ernas ast n ige nen ornas igare lige",
  tr:
    "n i ı lar in ler ları ın leri da de dan a ya ye larını lerini e den ta un te lara lerin tan ların m nin " +
    "nın ini lere larının lerinin larına lerine ken sını yi ten le im sini yı larda sine sinin u sına ine la " +
    "tı inin sının ını lerde lardan daki larında um lerden ına uz inde du lerinde ım di ının ti dı sa " +
    "lerinden ında larından nda na deki tir ma sinde tır larla lerle sında ü nı ün sıyla larıyla leriyle se " +
    "yla inden miş mış sinden siyle ıdır yle ından iz nların indeki iyle ne sından idir unu nun me sin una " +
    "sın ndan imi tadır ni tedir imiz ıyla",
};

/** Languages that use the stemmer of another. */
const SPELLED_LIKE: Readonly<Record<string, string>> = { bs: "sr", hr: "sr", ms: "id" };

/** The endings of a language, the empty one first. An unknown language has only that one. */
export function endingsOf(language: string): readonly string[] {
  // Words have no final sigma.
  const own = ENDINGS[SPELLED_LIKE[language] ?? language]?.replaceAll("ς", "σ").split(" ") ?? inflectionsOf(language);
  return ["", ...(own ?? [])];
}
