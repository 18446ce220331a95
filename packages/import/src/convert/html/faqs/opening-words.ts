const VERB = "(?:expand|collapse|show|hide|open|close|view|see|read|toggle|unfold|load)";
const OPENS = [
  new RegExp(
    `^(?:\\W*${VERB}\\b(?: (?:and|or|/) ${VERB}\\b| ?/ ?${VERB}\\b)?)(?: .{0,40})?\\b(?:all|every|everything|more|less|sections?|answers?|questions?|topics?|faqs?|details|menu|navigation|list)\\W*$`,
    "i",
  ),
  new RegExp(`^(?:\\W*${VERB}\\b) all\\b.{0,40}$`, "i"),
  /^(?:expand|collapse|toggle|open|close|more|less|all|menu|filters?|filter by.{0,30}|sort(?: by)?.{0,30}|search|share|contents|on this page|language)\W*$/i,
  /^(?:alle|alles|mehr|weniger)\b.{0,30}\b(?:öffnen|aufklappen|ausklappen|anzeigen|einblenden|schließen|zuklappen|einklappen|ausblenden)\W*$/i,
  /^(?:tout|toutes?|tous)\b.{0,20}\b(?:afficher|ouvrir|déplier|développer|réduire|fermer)\W*$|^(?:afficher|développer|ouvrir|déplier|réduire|masquer|voir|fermer) (?:tout|plus|moins|toutes?|tous)\b.{0,30}$/i,
  /^(?:mostrar|abrir|expandir|desplegar|ver|contraer|ocultar|cerrar|recolher) (?:tod[oa]s?|más|menos|tudo|mais)\b.{0,30}$/i,
  /^(?:mostra|espandi|apri|chiudi|vedi|comprimi|nascondi) (?:tutt[oiea]|di più|altro)\b.{0,30}$/i,
];

/** True if the words of a button tell its action on the page, and no topic of questions. */
export function opensMore(words: string): boolean {
  return words.length <= 100 && OPENS.some((way) => way.test(words));
}
