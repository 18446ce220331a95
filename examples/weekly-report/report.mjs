/**
 * A weekly report of all bots that an admin key may see, as markdown. Copy it into your project.
 * usage: node report.mjs; LOREDEX_URL and LOREDEX_ADMIN_KEY say whom it asks. A key with --read is enough.
 */

import { fileURLToPath } from "node:url";
import { LoredexAdmin, LoredexError } from "@loredex/client";

/** @typedef {Awaited<ReturnType<LoredexAdmin["listBots"]>>[number]} Bot */
/** @typedef {Awaited<ReturnType<LoredexAdmin["listGaps"]>>[number]} Gap */
/** @typedef {Awaited<ReturnType<LoredexAdmin["listFindings"]>>} Findings */
/** @typedef {Awaited<ReturnType<LoredexAdmin["listRuns"]>>[number]} RunSummary */

/** Entries of each list. The console has all of them. */
const SHOWN = 3;

/**
 * The whole report. A bot that cannot be read has a line that says why, and the others follow.
 * @param {LoredexAdmin} admin
 * @param {Date} [now]
 */
export async function weeklyReport(admin, now = new Date()) {
  const { alerts } = await admin.status();
  const sections = [`# Bots, ${now.toISOString().slice(0, 10)}`];
  if (alerts.length > 0)
    sections.push(list(alerts.map(({ severity, meaning }) => `**${severity}**: ${line(meaning)}`)));
  for (const bot of await admin.listBots()) sections.push(await sectionOf(admin, bot));
  return `${sections.join("\n\n")}\n`;
}

/**
 * @param {LoredexAdmin} admin
 * @param {Bot} bot
 */
async function sectionOf(admin, bot) {
  const head = `## ${line(bot.name)}\n\n${healthOf(bot)}`;
  if (bot.fault !== undefined) return head;
  try {
    const gaps = await admin.listGaps(bot.id, { limit: 1_000 });
    const findings = await admin.listFindings(bot.id);
    const runs = await admin.listRuns(bot.id);
    const asked = bot.questionLog
      ? [weeksOf(findings), gapsOf(gaps)]
      : ["Its question log is off, so that nobody knows what is asked."];
    return [head, ...asked, findingsOf(findings, bot.questionLog), runsOf(runs)].join("\n\n");
  } catch (error) {
    if (!(error instanceof LoredexError)) throw error;
    return `${head}\n\nThe rest is missing: ${line(error.message)}`;
  }
}

/** @param {Bot} bot */
function healthOf({ fault, advice = [] }) {
  if (fault !== undefined) return `It **cannot be opened**: ${line(fault.message)}`;
  if (advice.length === 0) return "It is healthy.";
  return list(advice.map(({ story }) => line(story)));
}

/** The newest week beside the one before. @param {Findings} findings */
function weeksOf({ weeks }) {
  const [last, before] = newestFirst(weeks, ({ week }) => week);
  if (last === undefined) return "Nobody has asked anything yet.";
  const rows = [
    ["Questions", last.questions, before?.questions],
    ["Without a good answer", last.gaps, before?.gaps],
    ["Helpful answers", last.helpful, before?.helpful],
    ["Unhelpful answers", last.unhelpful, before?.unhelpful],
  ];
  return table(["", `Week of ${last.week}`, before ? `Week of ${before.week}` : "The week before"], rows);
}

/** @param {readonly Gap[]} gaps */
function gapsOf(gaps) {
  if (gaps.length === 0) return "**Largest gaps**: none.";
  const largest = [...gaps].sort((a, b) => b.count - a.count).slice(0, SHOWN);
  const rows = largest.map(({ question, count, countWeek, countBefore, bestScore, nearest }) => {
    const asked = `asked ${count === 1 ? "once" : `${count} times`}, ${countWeek} this week, ${countBefore} the week before`;
    const near = nearest === undefined ? "nothing is near" : `nearest is ${line(nearest.title ?? nearest.id)}`;
    return `${line(question)}: ${asked}; ${near} (${bestScore.toFixed(2)})`;
  });
  return `**Largest gaps**, ${rows.length} of ${gaps.length}\n\n${list(rows, "1.")}`;
}

/**
 * @param {Findings} findings
 * @param {boolean} isLogged without a question log nothing was ever found
 */
function findingsOf({ neverFound, nearDuplicates, contradictions }, isLogged) {
  const never = isLogged ? neverFound.map(({ id, title = id }) => `never found: ${line(title)}`) : [];
  const rows = [
    ...contradictions.slice(0, SHOWN).map(({ titles, lines }) => {
      const said = lines.map((each) => `“${line(each)}”`).join(" and ");
      return `${titles.map(line).join(" and ")} may contradict each other: ${said}`;
    }),
    ...nearDuplicates.slice(0, SHOWN).map(({ titles }) => `${titles.map(line).join(" and ")} say almost the same`),
    ...never.slice(0, SHOWN),
  ];
  const all = contradictions.length + nearDuplicates.length + never.length;
  return all === 0 ? "**To read again**: nothing." : `**To read again**, ${rows.length} of ${all}\n\n${list(rows)}`;
}

/** The last run of the golden questions beside the one before. @param {readonly RunSummary[]} runs */
function runsOf(runs) {
  const [last, before] = newestFirst(
    runs.filter(({ vocabulary }) => vocabulary !== true),
    ({ at }) => at,
  );
  if (last === undefined) return "**Golden questions**: never run.";
  const rows = [
    ["nDCG@10", last.measures.ndcgAt10.toFixed(3), before?.measures.ndcgAt10.toFixed(3)],
    ["Missed", `${last.missed} of ${last.questions}`, before && `${before.missed} of ${before.questions}`],
  ];
  return table(["Golden questions", last.at.slice(0, 10), before?.at.slice(0, 10) ?? "The run before"], rows);
}

/**
 * @template Row
 * @param {readonly Row[]} rows
 * @param {(row: Row) => string} timeOf
 */
function newestFirst(rows, timeOf) {
  return [...rows].sort((a, b) => (timeOf(a) < timeOf(b) ? 1 : -1));
}

/**
 * @param {readonly string[]} head
 * @param {readonly (readonly unknown[])[]} rows
 */
function table(head, rows) {
  return [head, head.map(() => "---"), ...rows.map((row) => row.map((cell) => cell ?? "–"))]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");
}

/** @param {readonly string[]} rows */
function list(rows, mark = "-") {
  return rows.map((row) => `${mark} ${row}`).join("\n");
}

/** A text of users in one line of markdown: shown as it is, not as a heading, a link or a tag. @param {string} text */
function line(text) {
  const short = text.replace(/\s+/g, " ").trim().slice(0, 300);
  return short.replace(/[\\`*_[\]<>|#&~]/g, (sign) => `\\${sign}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { LOREDEX_URL: baseUrl = "http://127.0.0.1:8080", LOREDEX_ADMIN_KEY: key = "" } = process.env;
  try {
    process.stdout.write(await weeklyReport(new LoredexAdmin({ baseUrl, key })));
  } catch (error) {
    if (!(error instanceof LoredexError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}
