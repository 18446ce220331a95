import { bashCompletion } from "../completion/bash.ts";
import { fishCompletion } from "../completion/fish.ts";
import { type Completable, offersOf } from "../completion/words.ts";
import { zshCompletion } from "../completion/zsh.ts";
import { type Command, oneOf, UsageError } from "./command.ts";

const SHELLS = ["bash", "zsh", "fish"] as const;

/** @param commands returns all commands. It is called when this command runs, since this command is one of them */
export function completionCommand(commands: () => readonly Completable[]): Command {
  return {
    usage: "completion bash|zsh|fish",
    summary: "what a shell needs to complete commands and options, to be read at its start",
    more: `In ~/.bashrc: eval "$(loredex completion bash)"
In ~/.zshrc, after compinit: source <(loredex completion zsh)
In ~/.config/fish/config.fish: loredex completion fish | source
`,
    positionals: [1, 1],
    options: {},
    examples: ["completion bash"],
    // A starting shell must see no messages about settings.
    isStandalone: true,
    async run({ positionals: [given], terminal }) {
      const shell = oneOf("the shell", given, SHELLS);
      if (shell === undefined) throw new UsageError("the shell is missing");
      const all = commands();
      const offers = offersOf(all);
      const scripts = {
        bash: () => bashCompletion(offers),
        zsh: () => zshCompletion(offers),
        fish: () => fishCompletion(offers, all),
      };
      terminal.out(scripts[shell]());
      return 0;
    },
  };
}
