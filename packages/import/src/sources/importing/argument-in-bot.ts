import type { ArgumentReport, ArgumentSettings } from "@loredex/core";
import type { PlannedTarget } from "../belonging/plan.ts";
import type { ImportTarget } from "./import-target.ts";

/** Reports an argument to the bot while it is imported. An argument that brings nothing is not reported. */
export class ArgumentInBot {
  readonly #bot: ImportTarget;
  readonly #plan: PlannedTarget;
  #isTold: boolean;
  #isUsed = false;

  /** @param settings the import options of the argument */
  constructor(bot: ImportTarget, plan: PlannedTarget, settings: ArgumentSettings) {
    this.#bot = bot;
    this.#plan = { ...plan, place: { ...plan.place, settings } };
    this.#isTold = plan.isAmbiguous || (plan.isKnown && plan.takesOver === undefined);
  }

  /** Reports the argument, before its first document. */
  async tell(): Promise<void> {
    if (!this.#isTold) {
      const { source, place, takesOver } = this.#plan;
      await this.#bot.putSourceArgument(source, place, takesOver === undefined ? {} : { takesOver });
    }
    this.#isTold = true;
    this.#isUsed = true;
  }

  /** Reports the end of the argument. A new source is not kept if nothing was imported. */
  async tellEnd(report: ArgumentReport): Promise<void> {
    const { source, place, isKnown, isAmbiguous } = this.#plan;
    if (isAmbiguous || !(this.#isUsed || isKnown)) return;
    await this.#bot.putSourceArgument(source, place, { imported: true, report, unlessEmpty: !isKnown });
  }

  /** Returns a note on a source whose documents this one has taken over. */
  async leftToFormer(): Promise<string | undefined> {
    const { source, target, takesOver } = this.#plan;
    if (takesOver === undefined || !this.#isUsed) return undefined;
    const former = (await this.#bot.listSources()).find(({ name }) => name === takesOver);
    if (former !== undefined && former.takenOverBy !== source) return undefined;
    const left = former?.documents ?? 0;
    const rest =
      left === 0
        ? ""
        : `; ${left} that it does not hold stay with "${takesOver}" (loredex source remove takes them out)`;
    return `${target.given}: what "${takesOver}" had brought before sources were kept now belongs to "${source}"${rest}`;
  }
}
