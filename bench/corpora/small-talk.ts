import type { Use } from "./judged-sets.ts";

/** What people write to a support bot without asking for an article: greetings, thanks, questions about the bot, insults, single words. */

const ENGLISH = `
hi
hello there
good morning
hey, how are you?
how are you doing today
thanks
thank you so much
thanks, that helped a lot
ok
okay, got it
yes
no
no thanks
maybe later
bye
goodbye
see you
have a nice day
are you a robot?
am I talking to a real person?
who are you
what is your name?
who made you?
how old are you
can you help me?
I need help
I have a question
I have a problem
help
what can you do?
you are stupid
this is useless
that was not what I asked
you don't understand me
are you kidding
great
cool
lol
test
is there anybody?
is anybody there
tell me a joke
do you like music?
what's the weather like today
what time is it
I am bored
I love you
sorry
please
wait a moment
`;

const GERMAN = `
Hallo
Guten Morgen
Hallo, wie geht es dir?
Moin
Servus
Grüß Gott
Danke
Vielen Dank für die Hilfe
Danke, das hat geholfen
ok
alles klar
ja
nein
nein danke
vielleicht später
Tschüss
Auf Wiedersehen
bis bald
Schönen Tag noch
Bist du ein Roboter?
Spreche ich mit einem Menschen?
Wer bist du?
Wie heißt du?
Wer hat dich gemacht?
Wie alt bist du
Kannst du mir helfen?
Ich brauche Hilfe
Ich habe eine Frage
Ich habe ein Problem
Hilfe
Was kannst du?
Du bist doof
Das ist nutzlos
Das habe ich nicht gefragt
Du verstehst mich nicht
Willst du mich verarschen
super
cool
haha
Test
Ist da jemand?
Keiner da?
Erzähl mir einen Witz
Magst du Musik?
Wie wird das Wetter heute?
Wie spät ist es
Mir ist langweilig
Ich liebe dich
Entschuldigung
Moment bitte
`;

const BY_LANGUAGE: Readonly<Record<string, string>> = { en: ENGLISH, de: GERMAN };

/** Small talk in a language: every second line to choose settings by, and the others to report. */
export function smallTalk(language: string, use: Use): string[] {
  const lines = (BY_LANGUAGE[language] ?? "").trim().split("\n");
  return lines.filter((_, i) => (i % 2 === 0) === (use === "tune"));
}
