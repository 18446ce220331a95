/** Wordings of lines around the text of any page: each must be the whole line. */

const SIGNS = "[\\s:|/·•,;.!–—-]*";
const MONTH = "(?:jan|feb|mar|apr|may|june?|july?|aug|sep|oct|nov|dec)[a-z]{0,6}\\b";
const WEEKDAY = "(?:mon|tues|wednes|thurs|fri|satur|sun)day\\b";
/** A day, a year, or a time ago: a number alone may count anything. */
const WHEN = `(?:${WEEKDAY}|${MONTH}|\\d{1,2}(?:st|nd|rd|th)?\\.? (?:of )?${MONTH}|\\d{1,4}[./-]\\d|(?:19|20)\\d\\d\\b|\\d{1,4} [a-z]{3,7} ago$)`;
const DATE_AT_ONCE = new RegExp(`^(?:updated|published|posted|modified|created|written)(?: (?:on|at))?:? ${WHEN}`, "i");
const DATED = new RegExp(
  "^(?:(?:this )?(?:page|article|document|post|topic) (?:was )?)?last (?:updated|modified|changed|edited|reviewed|revised)" +
    `(?=[^\\p{L}\\p{N}]*$|[^\\p{L}\\p{N}]*[:(–—-]|\\W+(?:on|at|by|in|about|over|almost|an?|yesterday|today|just|date|time|${WHEN}))` +
    "|^zuletzt (?:aktualisiert|geändert|bearbeitet)\\b|^derni[èe]re (?:mise à jour|modification)\\b|^última (?:actualización|modificación|atualização)\\b|^ultim[oa] (?:aggiornamento|modifica)\\b",
  "iu",
);
const DAY = /\b(?:19|20)\d\d\b|\b\d{1,2}[./]\d{1,2}[./]\d{2}\b|\bago$|\b(?:yesterday|today)$/i;

/** True if the line tells when the page was written. */
function tellsDate(line: string): boolean {
  return line.length <= 120 && DAY.test(line) && (DATED.test(line) || (line.length <= 60 && DATE_AT_ONCE.test(line)));
}

const VOTED = /^\d{1,9} (?:out )?of \d{1,9} (?:people |users |readers )?found this (?:\w+ )?helpful\b.{0,30}$/i;
const VOTE =
  /^(?:(?:was|is|did|has|does) (?:this|the|our)\b[^.?!]{0,40}\b(?:helpful|useful|help|help you|helped you|your questions?|your problem|your issue)|(?:war|ist) dies(?:er?|es)?\b[^.?!]{0,40}\b(?:hilfreich|nützlich)|cet(?:te)? (?:article|page|réponse)[^.?!]{0,30}\b(?:utile|aidé)|¿(?:te|le|fue|ha sido|este|esta)\b[^.?!]{0,40}útil)[^.?!]{0,20}\?? ?(?:(?:yes|no|ja|nein|oui|non|sí|👍|👎|\d{1,6}|[\s/|,·])*)$/iu;
const OTHERS = [
  VOTED,
  VOTE,
  /^(?:back|return|jump|scroll) to (?:the )?top\W*$/i,
  /^(?:nach oben|zum seitenanfang|haut de (?:la )?page|volver arriba|torna su)\W*$/i,
  /^skip to (?:main |the )?(?:content|navigation|search|footer)\W*$/i,
  /^(?:edit|improve|suggest (?:an? )?(?:edits?|changes?)(?: to| on)?) this (?:page|article|document|section|topic)(?: on (?:github|gitlab|bitbucket))?\W*$/i,
  /^(?:edit|view|show) (?:it )?(?:on|in) (?:github|gitlab|bitbucket)\W*$/i,
  /^(?:view|show) (?:the )?(?:page )?source\W*$/i,
  /^print (?:this )?(?:page|article)\W*$/i,
  /^have more questions\? ?(?:submit a request)?\W*$/i,
  /^still (?:need help|have (?:a )?questions?)\? ?(?:contact (?:us|support)|get in touch)?\W*$/i,
  /^(?:leave|post|add|write) a (?:reply|comment)\W*$/i,
  /^(?:\d{1,6}|no) (?:comments?|replies|responses)(?: yet)?\W*$/i,
  /^(?:please |you (?:must|need to|have to) )?(?:be )?(?:sign|log)(?:ged)? ?in to (?:leave|post|add|write|submit) a (?:comment|reply)\W*$/i,
  /^comments? (?:are|is) (?:closed|off)\b.{0,30}$|^be the first to (?:comment|reply)\W*$|^comments?(?: \(\d{1,6}\))?$/i,
  /^your e-?mail address will not be published\b.{0,60}$|^required fields are marked\W*$/i,
  /^thanks?(?: you)? for (?:your|the) feedback\W*$/i,
  /^(?:subscribe to|sign up (?:for|to)) (?:our|the) (?:newsletter|mailing list)\b.{0,40}$/i,
];
const CONTENTS =
  /^(?:on this page|in this (?:article|section|document)|table of contents|auf dieser seite|sur cette page|en esta página)\W*$/i;
const ABOVE = [
  CONTENTS,
  /^contents\W*$/i,
  /^(?:(?:about |approx\.? )?\d{1,3}[ -]min(?:ute)?s?(?: read| to read)|(?:estimated )?reading time:? (?:about )?\d{1,3} min(?:ute)?s?)\W*$/i,
];

/** True for a line that stands below or above the text, and is no part of it. */
export function isAroundLine(line: string): boolean {
  return line.length <= 200 && (tellsDate(line) || OTHERS.some((words) => words.test(line)));
}

/** True for a line that only stands above the text: what it consists of, how long it takes. */
export function isAboveLine(line: string): boolean {
  return line.length <= 100 && ABOVE.some((words) => words.test(line));
}

/** True if the line only names what the page consists of. */
export function tellsOfContents(line: string): boolean {
  return CONTENTS.test(line);
}

const BEFORE_LINKS = new RegExp(
  `^(?:share(?: (?:this|the|it))?(?: (?:page|article|post|story|entry))?(?: on| via| with)?|teilen(?: auf)?|partager(?: sur)?|compartir(?: en)?|follow us(?: on)?|` +
    `tags?|tagged(?: with| in| as)?|categor(?:y|ies)|filed under|posted in|labels?|schlagwörter|kategorien?|mots-clés|étiquettes|etiquetas)?${SIGNS}$`,
  "i",
);

/** True for the words beside links that share the page, or beside tags. False if the line holds only links. */
export function isBeforeLinks(besides: string): boolean {
  return besides.length <= 80 && /\p{L}/u.test(besides) && BEFORE_LINKS.test(besides);
}

const LEADS_ON =
  /^(?:(?:related|similar|recommended|suggested|recently viewed|popular|trending|latest|recent|see more|more|other|further) (?:articles?|posts?|stories|pages|content|questions|reads)(?: (?:in|from|on) .{1,40})?|related|you (?:may|might) (?:also )?(?:like|be interested in|enjoy)\b.{0,20}|read (?:more|next)|up next|verwandte (?:artikel|beiträge|themen)|ähnliche (?:artikel|beiträge)|weitere (?:artikel|beiträge)|das könnte (?:sie|dich) auch interessieren|articles? (?:connexes?|associés?|similaires?|liés?)|à lire aussi|artículos relacionados|articoli correlati|artigos relacionados|share(?: (?:this|it))?(?: (?:page|article|post|story))?|follow us|tags?|tag cloud|categories|archives|blogroll)\W*$/i;

/** True for a heading above links to other pages. */
export function leadsOn(heading: string): boolean {
  return heading.length <= 100 && LEADS_ON.test(heading);
}
