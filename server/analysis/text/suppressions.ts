// Suppressing comments: `// pack-auth-disable-next-line <id>, <id> -- reason`, and the same for a line or a file. Finds them in a source,
// removes the diagnostics that they suppress, and reports which comments suppress nothing.

import type { SuppressionFact } from "../model/facts.ts";
import type { Diagnostic } from "../model/findings.ts";
import type { Span } from "../model/values.ts";
import { ts } from "../typescript.ts";
import { Involved } from "./involved.ts";
import { commentsBefore, textAround, tokenAt } from "./token-at.ts";

/** The text that every suppressing comment contains. */
export const DIRECTIVE = "pack-auth-disable";
/** Matches the beginning of the comment; the braces of a JSX comment are outside it. */
const COMMENT = /^(?:\/\/+|\/\*)[\s*]*pack-auth-disable(?:-(next-line|line|file))?(?![\w-])/;

/** Maximum number of comments in one source, and of rules in them. */
const MOST_SUPPRESSIONS = 1_000;

/** Returns the suppressing comments of a source. Throws {@link Involved} if there are more than the maximum. */
export function findSuppressions(source: ts.SourceFile): readonly SuppressionFact[] {
  const { fileName: file, text } = source;
  if (text.split(DIRECTIVE, MOST_SUPPRESSIONS + 2).length > MOST_SUPPRESSIONS + 1) throw new Involved();
  const suppressions = new Map<number, SuppressionFact>();
  let named = 0;
  let token: ts.Node | undefined;
  let comments: readonly ts.CommentRange[] = [];
  for (const { index } of text.matchAll(new RegExp(DIRECTIVE, "g"))) {
    if (token === undefined || index < token.pos || token.end <= index) {
      token = tokenAt(source, index);
      comments = commentsBefore(source, token);
    }
    const comment = comments.find(({ pos, end }) => pos <= index && index < end);
    if (comment === undefined || suppressions.has(comment.pos)) continue;
    const fact = readComment(file, source, comment, token);
    if (fact === undefined) continue;
    suppressions.set(comment.pos, fact);
    named += fact.rules.length;
    if (named > MOST_SUPPRESSIONS) throw new Involved();
  }
  return [...suppressions.values()];
}

function readComment(
  file: string,
  source: ts.SourceFile,
  { pos, end, kind }: ts.CommentRange,
  token: ts.Node,
): SuppressionFact | undefined {
  const { text } = source;
  const contentEnd = kind === ts.SyntaxKind.MultiLineCommentTrivia && text.startsWith("*/", end - 2) ? end - 2 : end;
  const content = text.slice(pos, contentEnd);
  const head = COMMENT.exec(content);
  if (head === null) return undefined;
  const directive = head[1] as SuppressionFact["directive"];
  const reason = /(?:^|\s)--(?:\s|$)/.exec(content.slice(head[0].length));
  const listEnd = head[0].length + (reason?.index ?? content.length);
  const braces = ts.isJsxExpression(token.parent) && token.parent.expression === undefined ? token.parent : undefined;
  const covers = directive === undefined ? undefined : coverage(source, directive, pos, end, token);
  return {
    file,
    start: pos,
    end,
    whole: braces === undefined ? { start: pos, end } : { start: braces.getStart(source), end: braces.end },
    ...(directive === undefined ? {} : { directive }),
    rules: readRules(content.slice(head[0].length, listEnd), pos + head[0].length),
    ...(covers === undefined ? {} : { covers }),
  };
}

/** Reads the first word of each part between commas; the rest of the part counts as a reason. */
function readRules(list: string, offset: number): SuppressionFact["rules"] {
  if (list.split(",", MOST_SUPPRESSIONS + 1).length > MOST_SUPPRESSIONS) throw new Involved();
  return [...list.matchAll(/[^,]+/g)].flatMap((part) => {
    const word = /[^\s*]+/.exec(part[0]);
    if (word === null) return [];
    const start = offset + part.index + word.index;
    return [{ id: word[0], start, end: start + word[0].length }];
  });
}

/**
 * Returns the span that the comment applies to: a line, with the rest of a template that begins there, or the file. Undefined if no code
 * follows.
 */
function coverage(
  source: ts.SourceFile,
  directive: "next-line" | "line" | "file",
  pos: number,
  end: number,
  token: ts.Node,
): Span | undefined {
  const { text } = source;
  if (directive === "file") return { start: 0, end: text.length };
  if (directive === "line") return wholeLines(source, lineStart(text, pos), end);
  // Other comments and blank lines may be in between; code after the comment on the same line does not count.
  const start = token.getStart(source);
  const isBehind = !/[\r\n]/.test(text.slice(end, start));
  if (!isBehind) return start >= text.length ? undefined : wholeLines(source, lineStart(text, start), start);
  const next = lineEnd(text, end);
  return next >= text.length ? undefined : wholeLines(source, next + lineBreak(text, next), next + lineBreak(text, next));
}

function wholeLines(source: ts.SourceFile, start: number, from: number): Span {
  let end = lineEnd(source.text, from);
  // A template cannot contain comments, so its lines belong to the line on which it begins.
  for (let around = textAround(source, end); around !== undefined; around = textAround(source, end)) end = lineEnd(source.text, around.end);
  return { start, end };
}

export function lineStart(text: string, offset: number): number {
  let start = offset;
  while (start > 0 && !endsLine(text, start - 1)) start--;
  return start;
}

function lineEnd(text: string, offset: number): number {
  let end = offset;
  while (end < text.length && !endsLine(text, end)) end++;
  return end;
}

function endsLine(text: string, offset: number): boolean {
  const sign = text.charCodeAt(offset);
  return sign === 10 || sign === 13;
}

const lineBreak = (text: string, offset: number): number => (text.startsWith("\r\n", offset) ? 2 : 1);

interface Suppressed {
  readonly remaining: readonly Diagnostic[];
  /** The listed rules that suppressed something, by comment. */
  readonly usedRules: ReadonlyMap<SuppressionFact, ReadonlySet<string>>;
}

/** Removes the diagnostics of one file that its comments suppress. */
export function suppress(diagnostics: readonly Diagnostic[], suppressions: readonly SuppressionFact[]): Suppressed {
  const usedRules = new Map<SuppressionFact, Set<string>>(suppressions.map((suppression) => [suppression, new Set()]));
  const remaining = diagnostics.filter(({ rule, place }) => {
    const silencing = suppressions.filter(
      ({ covers, rules }) =>
        covers !== undefined && covers.start <= place.start && place.start <= covers.end && rules.some(({ id }) => id === rule),
    );
    for (const suppression of silencing) usedRules.get(suppression)?.add(rule);
    return silencing.length === 0;
  });
  return { remaining, usedRules };
}
