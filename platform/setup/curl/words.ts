// The words of a pasted cURL command, as the shell reads them that it was copied for. Nothing is expanded: a variable or the output of
// another command becomes a mark, its name between two NUL characters. A pasted text has none, so a mark is never confused with text.
import { parse } from "shell-quote";
import { unreadable } from "../unreadable.ts";

/** The character before and after the name of a variable. */
export const MARK = "\0";

/** Characters of a command. A request that shows the authentication is far shorter. */
const LONGEST = 100_000;

const COPY_AS_BASH = "In the browser's list of requests, choose Copy as cURL (bash), and paste that.";
const PASTE_COMMAND = "Paste a command that begins with curl, such as: curl -H 'Authorization: Bearer …' https://api.example.com/me";

/** Returns the arguments of the cURL command in a text. */
export function curlArguments(text: string): readonly string[] {
  if (text.length > LONGEST)
    throw unreadable(
      `The text has ${text.length} characters; a cURL command of at most ${LONGEST} is read.`,
      "Paste the command without its long body.",
    );
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
  if (/[\0-\x08\x0e-\x1f\x7f\ufffd]/.test(text)) throw unreadable("The text has control characters, so it is no command.", PASTE_COMMAND);
  const command = withoutDressing(text.replaceAll("\r\n", "\n"));
  if (command === "") throw unreadable("The text is empty.", PASTE_COMMAND);
  if (command.startsWith("<")) throw unreadable("The text is HTML or XML, and no cURL command.", PASTE_COMMAND);
  if (/^(?:PS[^>\n]{0,200}> ?)?(?:Invoke-WebRequest|Invoke-RestMethod|iwr|irm|\$\w+ {0,9}=)/i.test(command) || command.includes("`\n"))
    throw unreadable("The text is a PowerShell command, which is not read.", COPY_AS_BASH);
  if (command.startsWith("fetch(")) throw unreadable("The text is a call of fetch, and no cURL command.", COPY_AS_BASH);
  const isCmd = isForCmd(command) || (SETTING_OF_CMD.test(text) && !command.includes("'"));
  const curls = (isCmd ? cmdCommands(command) : unixCommands(command)).flatMap(argumentsOfCurl);
  const [first] = curls;
  if (first === undefined) throw unreadable("The text has no cURL command.", PASTE_COMMAND);
  if (curls.length > 1)
    throw unreadable(`The text has ${curls.length} cURL commands.`, "Paste the one whose request shows how the API authenticates.");
  const addresses = addressesIn(text);
  const addressOf = (_: string, scheme: string, name: string): string => scheme + (addresses.get(name) ?? MARK + name + MARK);
  return first.map((word) => word.replace(VARIABLE_AT_START, addressOf));
}

const VARIABLE_AT_START = new RegExp(`^((?:https?://)?)${MARK}([^${MARK}]*)${MARK}`);

/** A line of cmd.exe that gives a variable its value. */
const SETTING_OF_CMD = /^[ \t]{0,40}@?set "?\w{1,60}=/im;

/** A variable whose value is the address of an API, or a whole header. */
const ADDRESS =
  /(?<![\w-])([A-Za-z_]\w{0,60}) ?= ?["']?((?:\$\{?\w{1,60}\}?|https?:\/\/[\w.-]{1,200}|[\w-]{1,60}(?:\.[\w-]{1,60}){1,9})[^\s"'$;]{0,500}|[A-Za-z-]{1,60}: [^"'$\n]{1,500})/g;

/** By name, the addresses that variables have in a text. The value of another variable stays a parameter, or is entered at the sign-in. */
function addressesIn(text: string): ReadonlyMap<string, string> {
  const addresses = new Map<string, string>();
  for (const [, name = "", written = ""] of text.matchAll(ADDRESS)) {
    const address = written.replace(/^\$\{?(\w{1,60})\}?/, (variable, other: string) => addresses.get(other) ?? variable);
    if (!address.startsWith("$")) addresses.set(name, address);
  }
  return addresses;
}

/** The name of the program before what its arguments begin with: an option, a quote, a variable, an address, or the end of the line. */
const COMMAND = /(?<![\w.-])curl(?:\.exe)?[ \t]{1,9}(?=[-"'$<{^\\]|https?:|[^\s.]{1,100}\.[^\s.])/gi;

/** Returns whether a text has a cURL command, whatever is around it. */
export const hasCurlCommand = (text: string): boolean => text.search(COMMAND) >= 0;

/**
 * Returns the text from its first command on: without the words, prompts, comments and assignments before it, without the fence of a Markdown
 * block, and without the marks of a comment or a prompt in the lines that continue it.
 */
function withoutDressing(text: string): string {
  const starts = [...text.matchAll(COMMAND)].map(({ index }) => index);
  const wordsBefore = (at: number): string =>
    text
      .slice(Math.max(0, at - LONGEST_WORDS), at)
      .split("\n")
      .at(-1) ?? "";
  // The output of a command in another one is no request to the API, unless there is no other.
  const start = starts.find((at) => !/\$\(|`(?!``)/.test(wordsBefore(at))) ?? starts[0];
  if (start === undefined) return text.replaceAll(FENCE, "").trim();
  const before = wordsBefore(start);
  const command = enclosedText(text, start, before).split(FENCE)[0] ?? "";
  const mark = /^\s{0,40}(#|\/\/|\*|>)/.exec(before)?.[1] ?? ">";
  const lines = command.replaceAll(/^More\?(?= )/gm, mark).split("\n");
  const isContinued = (index: number): boolean => /[\\^]\s{0,9}$/.test(lines[index - 1] ?? "");
  return lines
    .map((line, index) => (isContinued(index) && line.trimStart().startsWith(`${mark} `) ? line.trimStart().slice(mark.length + 1) : line))
    .join("\n")
    .trim();
}

/** Characters of a line that are looked at before its command. */
const LONGEST_WORDS = 500;

/** Returns the text from the start of a command on, up to the end of the quotes, the parentheses or the substitution that it begins. */
function enclosedText(text: string, start: number, before: string): string {
  const [quote] = /["']$/.exec(before) ?? [];
  if (quote !== undefined) {
    const end = closingQuote(text, start, quote);
    return text.slice(start, end < 0 ? undefined : end).replaceAll(`\\${quote}`, quote);
  }
  const opening = Math.max(before.lastIndexOf("$("), before.lastIndexOf("`"), before.search(/\(\s{0,9}$/));
  const end = opening < 0 ? undefined : substitutionEnd(text, start - before.length + opening);
  return text.slice(start, end === undefined || end <= start ? undefined : end - 1);
}

const FENCE = /^[ \t]{0,9}(?:```|~~~)[\w-]{0,20}[ \t]{0,9}$/gm;

/** What may precede the name of a program: a prompt, a program that starts another, or an assignment. */
const BEFORE_PROGRAM = /^(?:[$%]|sudo|time|command|exec|env|[A-Za-z_]\w*=[\s\S]*)$/;

function argumentsOfCurl(words: readonly string[]): readonly (readonly string[])[] {
  const at = words.findIndex((word) => !BEFORE_PROGRAM.test(word));
  return /(?:^|[\\/])curl(?:\.exe)?$/i.test(words[at] ?? "") ? [words.slice(at + 1)] : [];
}

const halfCommand = (): Error =>
  unreadable("The command ends inside quotes, so a part of it is missing.", "Copy the whole command, up to its last quote, and paste it.");

// Shells of Unix.

/** A placeholder of a documentation, which a shell would read as two redirections. */
const ANGLE_PLACEHOLDER = /<[A-Za-z][\w .-]{0,60}>/y;
const REDIRECTION = /&?(?:<{1,3}-?|>{1,2}[&|]?)[ \t]*(?:"[^"\n]*"|'[^'\n]*'|[^\s;|&"'<>])*/y;
const VARIABLE = /\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w{0,200})(?:[^\w}][^}]{0,200})?\})/y;
const TYPOGRAPHIC_QUOTE = /[\u2018\u2019\u201c\u201d]/;

/**
 * Returns the words of each command. shell-quote reads the words, but neither the end of a command nor a quote that is not closed. It also
 * takes globs and operators for more than text, where the author of an unquoted URL means text. All of that is decided here.
 */
function unixCommands(text: string): readonly (readonly string[])[] {
  const commands: string[] = [];
  let command = "";
  let at = 0;
  const endCommand = (): void => {
    commands.push(command);
    command = "";
  };
  const matchHere = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    return pattern.exec(text);
  };
  /** Reads a variable, a substitution, or a character that is text. */
  const readExpansion = (): void => {
    const variable = matchHere(VARIABLE);
    const end = variable === null ? substitutionEnd(text, at) : at + variable[0].length;
    if (end === undefined) {
      command += `\\${text.charAt(at)}`;
      at++;
      return;
    }
    command += MARK + (variable?.[1] ?? variable?.[2] ?? "OUTPUT") + MARK;
    at = end;
  };
  while (at < text.length) {
    const character = text.charAt(at);
    const next = text.charAt(at + 1);
    if (character === "\\") {
      if (next !== "\n" && next !== "") command += character + next;
      at += 2;
    } else if (character === "'" || (character === "$" && next === "'")) {
      const end = character === "'" ? text.indexOf("'", at + 1) : closingQuote(text, at + 2, "'");
      if (end < 0) throw halfCommand();
      command += text.slice(at, end + 1);
      at = end + 1;
    } else if (character === '"' || (character === "$" && next === '"')) {
      command += '"';
      at += character === '"' ? 1 : 2;
      while (text.charAt(at) !== '"') {
        const inner = text.charAt(at);
        if (inner === "") throw halfCommand();
        if (inner === "\\") {
          const escaped = text.charAt(at + 1);
          command += escaped === "\n" ? "" : escaped === "`" ? "`" : inner + escaped;
          at += 2;
        } else if (inner === "$" || inner === "`") readExpansion();
        else {
          command += inner;
          at++;
        }
      }
      command += '"';
      at++;
    } else if (character === "$" || character === "`") readExpansion();
    else if (character === "\n") {
      // An option at the beginning of a line belongs to the command whose backslash was lost.
      if (/^\s*-/.test(text.slice(at, at + 100))) command += " ";
      else endCommand();
      at++;
    } else if (character === "#" && (command === "" || command.endsWith(" "))) {
      const end = text.indexOf("\n", at);
      at = end < 0 ? text.length : end;
    } else if (character === "|" || (/[;&]/.test(character) && (/\s/.test(next) || next === "" || next === character))) {
      endCommand();
      at++;
    } else if (/[<>]/.test(character) || (character === "&" && next === ">")) {
      const placeholder = matchHere(ANGLE_PLACEHOLDER);
      const end = at + (placeholder ?? matchHere(REDIRECTION) ?? character)[0].length;
      if (placeholder !== null) command += placeholder[0].replaceAll(/[<> ]/g, "\\$&");
      // `2>` redirects the errors.
      else command = command.replace(/ \d$/, " ");
      at = end;
    } else {
      if (TYPOGRAPHIC_QUOTE.test(character))
        throw unreadable("The command has typographic quotes, which are no quotes to a shell.", "Replace them with plain ones: \" or '.");
      command += /\s/.test(character) ? " " : /[#;&()]/.test(character) ? `\\${character}` : character;
      at++;
    }
  }
  endCommand();
  return commands.map((each) =>
    parse(each).map((entry) => (typeof entry === "string" ? entry : "pattern" in entry ? entry.pattern : "op" in entry ? entry.op : "")),
  );
}

/** Returns the index of the next quote that no backslash escapes, or -1. */
function closingQuote(text: string, from: number, quote: string): number {
  for (let at = from; at < text.length; at++) {
    if (text.charAt(at) === "\\") at++;
    else if (text.charAt(at) === quote) return at;
  }
  return -1;
}

/** Returns the end of `$(…)`, `(…)` or `` `…` ``, or undefined if none begins here. */
function substitutionEnd(text: string, start: number): number | undefined {
  if (text.charAt(start) === "`") {
    const end = closingQuote(text, start + 1, "`");
    if (end < 0) throw halfCommand();
    return end + 1;
  }
  const first = text.charAt(start) === "(" ? start : start + 1;
  if (text.charAt(first) !== "(") return undefined;
  let depth = 0;
  for (let at = first; at < text.length; at++) {
    if (text.charAt(at) === "(") depth++;
    else if (text.charAt(at) === ")" && --depth === 0) return at + 1;
  }
  throw halfCommand();
}

// cmd.exe, for which Chrome writes a caret before each quote.

const isForCmd = (text: string): boolean =>
  /^curl(?:\.exe)?[ \t][^'"]*\^["\n]/i.test(text) ||
  /[ \t]\^\n[ \t]{0,40}-/.test(text) ||
  ESCAPE_IN_QUOTES.test(text) ||
  // Older browsers wrote two quotes for one inside quotes.
  /[ \t]"[^"\n]{0,5000}[{:,[]""\w/.test(text);

/** Chrome before version 122 wrote a caret before each sign inside plain quotes, too. */
const ESCAPE_IN_QUOTES = /[ \t]"[^"'\n]{0,5000}\^(?:[&%^\\$!|<>{}#@[\]]|\n\n)/;

/** Returns the words of each command: cmd.exe removes its carets, then the program itself divides the rest into words. */
function cmdCommands(text: string): readonly (readonly string[])[] {
  const source = text.replaceAll(/%([A-Z_][A-Z\d_]{2,60})%(?![\dA-Fa-f]{2})/g, `${MARK}$1${MARK}`);
  const commands: string[] = [];
  let command = "";
  let isQuoted = false;
  const escapesInQuotes = ESCAPE_IN_QUOTES.test(source);
  for (let at = 0; at < source.length; at++) {
    const character = source.charAt(at);
    if (character === "^" && (!isQuoted || escapesInQuotes)) {
      at++;
      // A caret before a line break removes it; the character behind is text, also if it is another line break.
      if (source.charAt(at) === "\n" && source.charAt(at + 1) === "\n") at++;
      else if (source.charAt(at) === "\n") continue;
      command += source.charAt(at);
    } else if (character === "\n" || (/[&|]/.test(character) && !isQuoted)) {
      commands.push(command);
      command = "";
      isQuoted = false;
    } else {
      if (character === '"') isQuoted = !isQuoted;
      command += character;
    }
  }
  return [...commands, command].map(programWords);
}

/** Divides a command line as programs on Windows do: a backslash escapes a quote and, before a quote, a backslash. */
function programWords(line: string): readonly string[] {
  const words: string[] = [];
  let word: string | undefined;
  let isQuoted = false;
  for (const [, backslashes = "", quote, rest = ""] of line.matchAll(/(\\*)(?:(""?)|([^\\"]|$))/g)) {
    if (quote !== undefined) {
      const isEscaped = backslashes.length % 2 === 1;
      const isDoubled = quote.length === 2;
      // Inside quotes, two of them are one that is text. Elsewhere, they are an empty word.
      word = (word ?? "") + "\\".repeat(backslashes.length >> 1) + (isEscaped || (isDoubled && isQuoted) ? '"' : "");
      if (isEscaped === isDoubled) isQuoted = !isQuoted;
      continue;
    }
    if (backslashes !== "") word = (word ?? "") + backslashes;
    if (isQuoted || !/\s/.test(rest)) {
      if (rest !== "") word = (word ?? "") + rest;
    } else if (word !== undefined) {
      words.push(word);
      word = undefined;
    }
  }
  if (isQuoted) throw halfCommand();
  return word === undefined ? words : [...words, word];
}
