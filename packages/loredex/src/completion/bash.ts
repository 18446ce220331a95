import type { Offers } from "./words.ts";

/** The completion script for bash 3.2 and later: a function for `complete`. */
export function bashCompletion({ first, second, commands, withValue, withPath, common }: Offers): string {
  const cases = (rows: readonly (readonly [pattern: string, action: string])[]): string =>
    rows.map(([pattern, action]) => `    ${pattern}) ${action} ;;\n`).join("");
  const words = (all: readonly string[]): string => `words="${all.join(" ")}"`;
  const choices = commands.flatMap((offer) =>
    offer.choices.map(([option, all]) => [`"${offer.command} ${option}"`, words(all)] as const),
  );
  return `# Completion of loredex for bash: eval "$(loredex completion bash)"
_loredex() {
  local current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD - 1]}"
  local called="" words="" files="" word i
  COMPREPLY=()
  # bash takes --option=value for three words.
  if [ "$current" = "=" ]; then current=""
  elif [ "$before" = "=" ]; then before="\${COMP_WORDS[COMP_CWORD - 2]}"
  fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    case "$word" in
      ${withValue.join("|")}) if [ "\${COMP_WORDS[i + 1]}" = "=" ]; then i=$((i + 2)); else i=$((i + 1)); fi ;;
      -*) ;;
      *) case "$called" in
        "") called="$word" ;;
        ${second.map(([word]) => word).join("|")}) called="$called $word" ;;
      esac ;;
    esac
  done
  case "$before" in
    ${withPath.join("|")}) files=yes ;;
    ${withValue.join("|")})
      case "$called $before" in
${cases(choices)}      *) return ;;
      esac ;;
    *)
      case "$called" in
${cases([
  [`""`, words([...first, ...common])],
  ...second.map(([word, seconds]) => [`"${word}"`, words(seconds)] as const),
  [`"help"`, words(first)],
  ...commands.map(
    ({ command, options, takesFiles }) =>
      [`"${command}"`, `${words(options)}${takesFiles ? "; files=yes" : ""}`] as const,
  ),
])}      esac
      case "$current" in
        -*) files="" ;;
        *) if [ -n "$called" ]; then case " ${second.map(([word]) => word).join(" ")} help " in *" $called "*) ;; *) words="" ;; esac; fi ;;
      esac ;;
  esac
  if [ -n "$words" ]; then COMPREPLY=($(compgen -W "$words" -- "$current")); fi
  if [ -n "$files" ]; then
    compopt -o filenames 2>/dev/null
    while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "$current")
  fi
}
complete -F _loredex loredex
`;
}
