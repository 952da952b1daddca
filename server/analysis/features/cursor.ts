// Determines the cursor's position in a source from tokens alone. The syntax tree of half-written code is unreliable, but its brackets,
// names and strings up to the cursor are what the author meant.

import type { Span } from "../model/values.ts";
import { ts } from "../typescript.ts";

const { SyntaxKind } = ts;

/** A bracket that is open at the cursor. */
export interface Frame {
  /** `block` means braces around statements. */
  readonly kind: "call" | "array" | "object" | "block" | "slot";
  /** The offset of the bracket. */
  readonly start: number;
  /** The callee of a call, `pack.setUserAuthentication`; or the object before an index in brackets, `coda.AuthenticationType`. */
  readonly callee?: string;
  /** The number of commas before the cursor. */
  readonly index: number;
  /** The member of an object that contains the cursor. */
  readonly property?: string;
  /** The names of an object's members; those of the innermost object include the ones behind the cursor. */
  readonly members: readonly string[];
}

/** The string that contains the cursor: a string literal, or a piece of a template. */
interface TextAtCursor extends Span {
  /** The range between the quotes; it ends at the cursor if the closing quote is missing. */
  readonly content: Span;
  readonly quote: string;
  readonly isClosed: boolean;
}

export interface Cursor {
  /** The kind of text that may be written here; "none" if unknown. */
  readonly spot: "name" | "value" | "none";
  /** The frames from the outermost bracket to the innermost. */
  readonly frames: readonly Frame[];
  readonly text?: TextAtCursor;
  /** The dotted name under the cursor; an empty range at the cursor if there is none. */
  readonly word: Span;
  /** The offset of a missing comma before the member that begins here. */
  readonly missingComma?: number;
}

interface OpenFrame {
  kind: Frame["kind"];
  start: number;
  callee?: string;
  index: number;
  property: string | undefined;
  members: string[];
  /** The state of an object's current member. */
  state: "name" | "named" | "value";
}

const BEFORE_OBJECT = new Set<ts.SyntaxKind>([
  SyntaxKind.OpenParenToken,
  SyntaxKind.OpenBracketToken,
  SyntaxKind.CommaToken,
  SyntaxKind.ColonToken,
  SyntaxKind.EqualsToken,
  SyntaxKind.QuestionToken,
  SyntaxKind.QuestionQuestionToken,
  SyntaxKind.BarBarToken,
  SyntaxKind.AmpersandAmpersandToken,
  SyntaxKind.DotDotDotToken,
  SyntaxKind.TemplateHead,
  SyntaxKind.TemplateMiddle,
  SyntaxKind.ReturnKeyword,
  SyntaxKind.DefaultKeyword,
  SyntaxKind.AwaitKeyword,
  SyntaxKind.YieldKeyword,
  SyntaxKind.NewKeyword,
  SyntaxKind.InKeyword,
  SyntaxKind.OfKeyword,
]);

const ENDS_EXPRESSION = new Set<ts.SyntaxKind>([
  SyntaxKind.Identifier,
  SyntaxKind.StringLiteral,
  SyntaxKind.NumericLiteral,
  SyntaxKind.NoSubstitutionTemplateLiteral,
  SyntaxKind.TemplateTail,
  SyntaxKind.RegularExpressionLiteral,
  SyntaxKind.CloseParenToken,
  SyntaxKind.CloseBracketToken,
  SyntaxKind.CloseBraceToken,
  SyntaxKind.TrueKeyword,
  SyntaxKind.FalseKeyword,
  SyntaxKind.NullKeyword,
  SyntaxKind.ThisKeyword,
  SyntaxKind.UndefinedKeyword,
]);

const CONTINUES_EXPRESSION = /^(?:as|satisfies|in|instanceof|of|is)$/;

const isText = (kind: ts.SyntaxKind): boolean =>
  kind === SyntaxKind.StringLiteral ||
  kind === SyntaxKind.NoSubstitutionTemplateLiteral ||
  kind === SyntaxKind.TemplateHead ||
  kind === SyntaxKind.TemplateMiddle ||
  kind === SyntaxKind.TemplateTail;

const isWord = (kind: ts.SyntaxKind): boolean =>
  kind === SyntaxKind.Identifier || (kind >= SyntaxKind.FirstKeyword && kind <= SyntaxKind.LastKeyword);

const isTrivia = (kind: ts.SyntaxKind): boolean => kind >= SyntaxKind.FirstTriviaToken && kind <= SyntaxKind.LastTriviaToken;

export function cursorAt(source: string, offset: number): Cursor {
  const scanner = ts.createScanner(ts.ScriptTarget.Latest, false, ts.LanguageVariant.Standard, source);
  const frames: OpenFrame[] = [];
  let before: ts.SyntaxKind = SyntaxKind.Unknown;
  let beforeEnd = 0;
  /** The dotted name that ends at the previous token. */
  let path = "";
  let cursor: Cursor | undefined;
  let depth = 0;

  const top = (): OpenFrame | undefined => frames.at(-1);
  const push = (kind: Frame["kind"], start: number, callee?: string): void => {
    frames.push({ kind, start, index: 0, property: undefined, members: [], state: "name", ...(callee === undefined ? {} : { callee }) });
  };
  const pop = (...kinds: readonly Frame["kind"][]): void => {
    // Brackets that do not match: the ones left open inside are dropped.
    const at = frames.findLastIndex(({ kind }) => kinds.includes(kind));
    if (at >= 0) frames.length = at;
  };
  const endMember = (frame: OpenFrame): void => {
    if (frame.state === "named" && frame.property !== undefined) frame.members.push(frame.property);
  };
  const lineBreakSince = (end: number, at: number): boolean => source.slice(end, at).includes("\n");
  /** Returns whether a member begins on a new line after a complete value, so that its comma is missing. */
  const beginsMember = (at: number): boolean =>
    top()?.kind === "object" && top()?.state === "value" && ENDS_EXPRESSION.has(before) && lineBreakSince(beforeEnd, at);

  const snapshot = (spot: Cursor["spot"], more: Partial<Cursor> = {}): void => {
    depth = frames.length;
    // The frames share their arrays of members, which the rest of the source still extends.
    cursor = { spot, frames: frames.map(({ state: _, ...frame }) => frame as Frame), word: wordAt(source, offset), ...more };
  };
  /** Records the cursor between tokens, or at a word. */
  const look = (at: number, text?: TextAtCursor): void => {
    const frame = top();
    const missing = beginsMember(at);
    const more: Partial<Cursor> = { ...(text === undefined ? {} : { text }), ...(missing ? { missingComma: beforeEnd } : {}) };
    if (frame === undefined || frame.kind === "block" || frame.kind === "slot") snapshot(text === undefined ? "none" : "value", more);
    else if (missing || (frame.kind === "object" && frame.state !== "value")) {
      // A name that ends before the cursor requires a colon next.
      const isNamed = frame.state === "named" && !missing && !(isWord(before) && lineBreakSince(beforeEnd, at));
      snapshot(isNamed ? "none" : "name", more);
    } else snapshot(ENDS_EXPRESSION.has(before) && text === undefined && at >= offset ? "none" : "value", more);
  };
  for (;;) {
    let kind = scanner.scan();
    if (kind === SyntaxKind.CloseBraceToken && top()?.kind === "slot") kind = scanner.reScanTemplateToken(false);
    if ((kind === SyntaxKind.SlashToken || kind === SyntaxKind.SlashEqualsToken) && !ENDS_EXPRESSION.has(before))
      kind = scanner.reScanSlashToken();
    const start = scanner.getTokenStart();
    const end = scanner.getTokenEnd();
    if (cursor === undefined && (offset <= end || kind === SyntaxKind.EndOfFileToken)) {
      if (offset <= start) look(offset);
      else if (isTrivia(kind)) {
        const isComment =
          kind === SyntaxKind.SingleLineCommentTrivia ||
          (kind === SyntaxKind.MultiLineCommentTrivia && (offset < end || scanner.isUnterminated()));
        if (isComment) snapshot("none");
        else if (offset < end || kind === SyntaxKind.NewLineTrivia) look(offset);
      } else if (isText(kind)) {
        const text = textAt(source, start, end, kind, offset, scanner.isUnterminated());
        // After a slot of a template, the cursor is in the template again.
        const slot = kind === SyntaxKind.TemplateMiddle || kind === SyntaxKind.TemplateTail ? frames.pop() : undefined;
        if (text !== undefined) look(start, text);
        if (slot !== undefined) frames.push(slot);
      } else if (isWord(kind)) look(start);
    }
    if (kind === SyntaxKind.EndOfFileToken || (cursor !== undefined && frames.length < depth)) break;
    if (isTrivia(kind)) continue;
    if (
      beginsMember(start) &&
      (isWord(kind) || kind === SyntaxKind.StringLiteral) &&
      !CONTINUES_EXPRESSION.test(source.slice(start, end))
    ) {
      const frame = top();
      if (frame !== undefined) {
        frame.state = "name";
        frame.property = undefined;
      }
    }
    applyToken(kind, start, end);
    path = isWord(kind)
      ? (before === SyntaxKind.DotToken || before === SyntaxKind.QuestionDotToken ? `${path}.` : "") + source.slice(start, end)
      : kind === SyntaxKind.DotToken || kind === SyntaxKind.QuestionDotToken
        ? path
        : "";
    before = kind;
    beforeEnd = end;
  }
  return cursor ?? { spot: "none", frames: [], word: { start: offset, end: offset } };

  function applyToken(kind: ts.SyntaxKind, start: number, end: number): void {
    const frame = top();
    switch (kind) {
      case SyntaxKind.OpenParenToken: {
        const isMethod = frame?.kind === "object" && frame.state === "named";
        if (isMethod) {
          endMember(frame);
          frame.state = "value";
        }
        push("call", start, isMethod || path === "" ? undefined : path);
        return;
      }
      case SyntaxKind.OpenBracketToken:
        if (frame?.kind === "object" && frame.state === "name") {
          frame.state = "named";
          push("array", start);
        } else push("array", start, path === "" ? undefined : path);
        return;
      case SyntaxKind.OpenBraceToken:
        push(BEFORE_OBJECT.has(before) ? "object" : "block", start);
        return;
      case SyntaxKind.CloseParenToken:
        pop("call");
        return;
      case SyntaxKind.CloseBracketToken:
        pop("array");
        return;
      case SyntaxKind.CloseBraceToken:
        if (frame?.kind === "object") endMember(frame);
        pop("object", "block");
        return;
      case SyntaxKind.TemplateHead:
        push("slot", start);
        return;
      case SyntaxKind.TemplateTail:
        pop("slot");
        return;
      case SyntaxKind.CommaToken:
        if (frame === undefined) return;
        frame.index++;
        if (frame.kind !== "object") return;
        endMember(frame);
        frame.state = "name";
        frame.property = undefined;
        return;
      case SyntaxKind.ColonToken:
      case SyntaxKind.EqualsToken:
        if (frame?.kind !== "object" || frame.state !== "named") return;
        endMember(frame);
        frame.state = "value";
        return;
      case SyntaxKind.DotDotDotToken:
        if (frame?.kind === "object") frame.state = "value";
        return;
      default:
        if (frame?.kind !== "object" || frame.state === "value") return;
        if (isWord(kind)) frame.property = source.slice(start, end);
        else if (kind === SyntaxKind.StringLiteral) frame.property = source.slice(start + 1, end - 1);
        else return;
        frame.state = "named";
    }
  }
}

/** Returns the string around the offset, if the offset is inside its quotes. */
function textAt(
  source: string,
  start: number,
  end: number,
  kind: ts.SyntaxKind,
  offset: number,
  unterminated: boolean,
): TextAtCursor | undefined {
  const closing = unterminated ? 0 : kind === SyntaxKind.TemplateHead || kind === SyntaxKind.TemplateMiddle ? 2 : 1;
  const last = end - closing;
  if (offset > last) return undefined;
  const quote = kind === SyntaxKind.StringLiteral ? (source[start] ?? '"') : "`";
  return { start, end, quote, isClosed: !unterminated, content: { start: start + 1, end: unterminated ? offset : last } };
}

function wordAt(source: string, offset: number): Span {
  const before = /(?<![\w$.])[\w$.]*$/.exec(source.slice(Math.max(0, offset - 200), offset))?.[0].length ?? 0;
  const after = /^[\w$]*/.exec(source.slice(offset, offset + 200))?.[0].length ?? 0;
  return { start: offset - before, end: offset + after };
}
