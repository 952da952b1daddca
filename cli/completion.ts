// `pack-auth completion`: prints a completion script for a shell, built from the options of the verbs.
import { type Verb, verb } from "./frame/options.ts";
import { UsageError } from "./terminal/usage-error.ts";

interface CompletedOption {
  /** The name with its dashes. */
  readonly name: string;
  readonly help: string;
  /** The argument as the help text names it; undefined if the option has none. */
  readonly argument: string | undefined;
  /** The possible values, if there are few. */
  readonly values: readonly string[];
}

interface CompletedVerb {
  readonly name: string;
  readonly summary: string;
  readonly acts: readonly string[];
  readonly options: readonly CompletedOption[];
}

/** A verb as the table of verbs has it. */
interface LoadedVerb {
  load(): Promise<Verb>;
}

async function completedVerb([name, { load }]: [string, LoadedVerb]): Promise<CompletedVerb> {
  const { about, options, acts = [] } = (await load()).help;
  return {
    name,
    acts,
    summary: /^[^.]*/.exec(about.replaceAll("\n", " "))?.[0] ?? "",
    options: Object.entries(options).map(([option, { argument, help }]) => ({
      name: `--${option}`,
      help: help.split("\n")[0] ?? "",
      argument,
      values: argument?.includes("|") ? argument.split("|") : [],
    })),
  };
}

const SHELLS: Readonly<Record<string, (verbs: readonly CompletedVerb[]) => string>> = { bash, zsh, fish };

export const completion = (verbs: Readonly<Record<string, LoadedVerb>>): Verb =>
  verb(
    {
      usage: "completion <bash|zsh|fish>",
      about: "Prints a script that completes commands, options and their values in a shell.",
      options: {},
      more: `In the shell's start file:
  bash   eval "$(pack-auth completion bash)"
  zsh    eval "$(pack-auth completion zsh)"       behind compinit
  fish   pack-auth completion fish | source
`,
    },
    async ({ positionals: [shell = "", ...extraArguments] }, { output }) => {
      const script = Object.hasOwn(SHELLS, shell) ? SHELLS[shell] : undefined;
      if (script === undefined || extraArguments.length > 0)
        throw new UsageError("completion needs bash, zsh or fish. See pack-auth completion --help.");
      output.writeData(script(await Promise.all(Object.entries(verbs).map(completedVerb))));
      return 0;
    },
  );

/** Quotes a text with single quotes for a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

function bash(verbs: readonly CompletedVerb[]): string {
  const lists = verbs.map(({ name, options }) => `    ${name}) options=${quoted(options.map((option) => option.name).join(" "))} ;;`);
  const values = verbs.flatMap(({ name, options }) =>
    options.flatMap((option) =>
      option.values.length === 0 ? [] : [`    ${quoted(`${name} ${option.name}`)}) words=${quoted(option.values.join(" "))} ;;`],
    ),
  );
  const acts = verbs.flatMap(({ name, acts: words }) => (words.length === 0 ? [] : [`    ${name}) acts=${quoted(words.join(" "))} ;;`]));
  return `_pack_auth() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" verb="\${COMP_WORDS[1]}" options='' acts='' words=''
  case "$verb" in
${lists.join("\n")}
  esac
  case "$verb" in
${acts.join("\n")}
  esac
  case "$verb $previous" in
${values.join("\n")}
  esac
  if [ "$COMP_CWORD" -eq 1 ]; then
    words=${quoted(verbs.map(({ name }) => name).join(" "))}
  elif [ "\${current#-}" != "$current" ]; then
    words="$options --help"
  elif [ "$COMP_CWORD" -eq 2 ]; then
    words="$acts"
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _pack_auth pack-auth
`;
}

function zsh(verbs: readonly CompletedVerb[]): string {
  const plain = (text: string): string => text.replaceAll(/[[\]:\\]/g, "\\$&");
  const specOf = ({ name, help, argument, values }: CompletedOption): string => {
    const value = values.length > 0 ? `(${values.join(" ")})` : "_files";
    return quoted(`${name}[${plain(help)}]${argument === undefined ? "" : `:${plain(argument)}:${value}`}`);
  };
  const cases = verbs.map(
    ({ name, options, acts }) =>
      `    ${name}) _arguments ${[...options.map(specOf), "'--help[print the help text]'", ...(acts.length === 0 ? [] : [`'1:act:(${acts.join(" ")})'`]), "'*:file:_files'"].join(" ")} ;;`,
  );
  return `#compdef pack-auth
_pack_auth() {
  if (( CURRENT == 2 )); then
    local -a verbs=(${verbs.map(({ name, summary }) => quoted(`${name}:${plain(summary)}`)).join(" ")})
    _describe command verbs
    return
  fi
  shift words
  (( CURRENT-- ))
  case $words[1] in
${cases.join("\n")}
  esac
}
if [ "$funcstack[1]" = _pack_auth ]; then _pack_auth "$@"; else compdef _pack_auth pack-auth; fi
`;
}

function fish(verbs: readonly CompletedVerb[]): string {
  const inQuotes = (text: string): string => `'${text.replaceAll(/['\\]/g, "\\$&")}'`;
  const lines = verbs.flatMap(({ name, summary, options, acts }) => [
    `complete -c pack-auth -f -n __fish_use_subcommand -a ${name} -d ${inQuotes(summary)}`,
    ...(acts.length === 0 ? [] : [`complete -c pack-auth -f -n '__fish_seen_subcommand_from ${name}' -a ${inQuotes(acts.join(" "))}`]),
    ...options.map(({ name: option, help, argument, values }) => {
      const value = argument === undefined ? "" : values.length > 0 ? ` -x -a ${inQuotes(values.join(" "))}` : " -r";
      return `complete -c pack-auth -n '__fish_seen_subcommand_from ${name}' -l ${option.slice(2)}${value} -d ${inQuotes(help)}`;
    }),
  ]);
  return `${lines.join("\n")}\n`;
}
