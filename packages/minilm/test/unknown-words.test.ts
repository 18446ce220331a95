import { type Bot, Engine, NO_EMBEDDER } from "@loredex/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { encoder } from "../../encoder/test/runtime.ts";
import { openMiniLm } from "../src/minilm.ts";

/** What the English encoder has no piece of: letters of mathematics are made plain, the others are found by their words. */
const THAI = ["วิธีคืนเงิน", "รีเซ็ตรหัสผ่าน", "ที่อยู่จัดส่ง", "ยกเลิกการสมัคร", "เวลาทำการ", "ติดต่อเรา"];
const RARE = ["𠀀𠀁𠀂", "𠀃𠀄𠀅", "𠀆𠀇𠀈", "𠀉𠀊𠀋"];
const LONG = ["a", "b", "c", "d"].map((letter) => letter.repeat(120));
const SUBJECTS = ["refund", "password", "delivery", "invoice", "holiday", "printer"];

const bold = (word: string): string =>
  word.replace(/[a-z]/g, (letter) => String.fromCodePoint(0x1d41a + letter.charCodeAt(0) - 97));
const fullWidth = (word: string): string =>
  word.replace(/[!-~]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0));

describe.skipIf(encoder.isMissing)(encoder.named("a question that the encoder's vocabulary lacks"), () => {
  let engine: Engine;
  let bot: Bot;

  beforeAll(async () => {
    engine = await Engine.open({
      embedders: { minilm: { languages: ["en"], open: () => openMiniLm({ workers: 1 }) } },
    });
    await engine.createBot({ name: "help", language: "multi", embedder: "minilm", rateCharactersPerMinute: 1_000_000 });
    bot = await engine.bot("help");
    for (const word of [...THAI, ...RARE, ...LONG])
      await bot.createArticle({ title: `Page ${word}`, body: `Here stands ${word} among other words.` });
    for (const word of SUBJECTS)
      await bot.createArticle({ title: `About a ${word}`, body: `All that our help has on each ${word}.` });
    await bot.whenUpgraded();
  });

  afterAll(() => engine.close());

  const first = async (question: string): Promise<unknown> => (await bot.search(question))[0]?.metaData.title;

  it("is answered by its words where the vocabulary has none of them", async () => {
    for (const word of [...THAI, ...RARE, ...LONG]) expect(await first(word)).toBe(`Page ${word}`);
  });

  it("finds nothing where no text has it", async () => {
    expect(await bot.search("𐎀𐎁𐎂")).toEqual([]);
    expect(await bot.search("ฮฮฮฮฮ")).toEqual([]);
  });

  it("does not let unknown words speak for others in a longer question", async () => {
    for (const word of [...THAI, ...RARE]) expect(await first(`where stands ${word} in here`)).toBe(`Page ${word}`);
  });

  it("is read in plain letters, without marks and quietly, whatever it is set in", async () => {
    for (const subject of SUBJECTS) {
      const question = `tell me about the ${subject}`;
      const answer = await bot.search(question);
      expect(answer[0]?.metaData.title).toBe(`About a ${subject}`);
      for (const as of [
        `**${question}**`,
        `_${question}_`,
        bold(question),
        fullWidth(question),
        `${question}!!!`,
        ` ${question} `,
      ])
        expect(
          (await bot.search(as)).map(({ resourceDocId, bestMatchScore }) => [resourceDocId, bestMatchScore]),
        ).toEqual(answer.map(({ resourceDocId, bestMatchScore }) => [resourceDocId, bestMatchScore]));
      const scoreOf = async (asked: string) => (await bot.search(asked))[0]?.bestMatchScore;
      expect(await scoreOf(`${question}???`)).toBe(await scoreOf(`${question}?`));
    }
  });

  it("is answered by words alone as it is by a bot without an embedder", async () => {
    await engine.createBot({ name: "words", language: "multi", embedder: NO_EMBEDDER });
    const words = await engine.bot("words");
    await words.createArticle({ title: "Page", body: `Here stands ${THAI[0]}.` });
    await words.whenSearchable();
    expect((await words.search(THAI[0] ?? "")).length).toBe(1);
  });
});
