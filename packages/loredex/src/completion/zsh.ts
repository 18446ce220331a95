import type { Offers } from "./words.ts";

/** The completion script for zsh: a function for `compdef`. */
export function zshCompletion({ first, second, commands, withValue, withPath, common }: Offers): string {
  const words = (all: readonly string[]): string => `compadd -- ${all.join(" ")}`;
  const cases = (rows: readonly (readonly [pattern: string, action: string])[]): string =>
    rows.map(([pattern, action]) => `        ${pattern}) ${action} ;;\n`).join("");
  const groups = second.map(([word]) => word).join("|");
  return `#compdef loredex
# Completion of loredex for zsh: source <(loredex completion zsh), after compinit
_loredex() {
  local called="" word before="\${words[CURRENT - 1]}"
  integer i
  for ((i = 2; i < CURRENT; i++)); do
    word="\${words[i]}"
    case "$word" in
      ${withValue.join("|")}) ((i += 1)) ;;
      -*) ;;
      *) case "$called" in
        "") called="$word" ;;
        ${groups}) called="$called $word" ;;
      esac ;;
    esac
  done
  case "$before" in
    ${withPath.join("|")}) _files ;;
    ${withValue.join("|")})
      case "$called $before" in
${cases(commands.flatMap(({ command, choices }) => choices.map(([option, all]) => [`"${command} ${option}"`, words(all)] as const)))}      esac ;;
    *)
      case "$called" in
${cases([
  [`""`, words([...first, ...common])],
  ...second.map(([word, seconds]) => [`"${word}"`, words(seconds)] as const),
  [`"help"`, words(first)],
  ...commands.map(({ command, options, takesFiles }) => {
    const otherwise = takesFiles ? "_files" : ":";
    return [`"${command}"`, `if [[ "$PREFIX" = -* ]]; then ${words(options)}; else ${otherwise}; fi`] as const;
  }),
])}      esac ;;
  esac
}
compdef _loredex loredex
`;
}
