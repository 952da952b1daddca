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

interface OpenFrame extends Pick<Frame, "kind" | "start" | "callee"> {
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
  return new CursorScan(source, offset).run();
}

/** Scans the tokens of a source up to the cursor, and then to the end of the innermost bracket around it. */
class CursorScan {
  readonly #source: string;
  readonly #offset: number;
  readonly #scanner: ts.Scanner;
  readonly #frames: OpenFrame[] = [];
  /** The kind and the end of the previous token. */
  #before: ts.SyntaxKind = SyntaxKind.Unknown;
  #beforeEnd = 0;
  /** The dotted name that ends at the previous token. */
  #path = "";
  #cursor: Cursor | undefined;
  /** The number of frames at the cursor. */
  #depth = 0;

  constructor(source: string, offset: number) {
    this.#source = source;
    this.#offset = offset;
    this.#scanner = ts.createScanner(ts.ScriptTarget.Latest, false, ts.LanguageVariant.Standard, source);
  }

  run(): Cursor {
    for (;;) {
      const kind = this.#scan();
      const start = this.#scanner.getTokenStart();
      const end = this.#scanner.getTokenEnd();
      const isEnd = kind === SyntaxKind.EndOfFileToken;
      if (this.#cursor === undefined && (this.#offset <= end || isEnd)) this.#lookForCursor(kind, start, end);
      if (isEnd || (this.#cursor !== undefined && this.#frames.length < this.#depth)) break;
      if (isTrivia(kind)) continue;
      this.#beginMember(kind, start, end);
      this.#applyToken(kind, start, end);
      this.#path = this.#pathAfter(kind, start, end);
      this.#before = kind;
      this.#beforeEnd = end;
    }
    return this.#cursor ?? { spot: "none", frames: [], word: { start: this.#offset, end: this.#offset } };
  }

  #scan(): ts.SyntaxKind {
    const kind = this.#scanner.scan();
    if (kind === SyntaxKind.CloseBraceToken && this.#top()?.kind === "slot") return this.#scanner.reScanTemplateToken(false);
    const isSlash = kind === SyntaxKind.SlashToken || kind === SyntaxKind.SlashEqualsToken;
    return isSlash && !ENDS_EXPRESSION.has(this.#before) ? this.#scanner.reScanSlashToken() : kind;
  }

  #top(): OpenFrame | undefined {
    return this.#frames.at(-1);
  }

  #push(kind: Frame["kind"], start: number, callee?: string): void {
    this.#frames.push({
      kind,
      start,
      index: 0,
      property: undefined,
      members: [],
      state: "name",
      ...(callee === undefined ? {} : { callee }),
    });
  }

  #pop(...kinds: readonly Frame["kind"][]): void {
    // Brackets that do not match: the ones left open inside are dropped.
    const at = this.#frames.findLastIndex(({ kind }) => kinds.includes(kind));
    if (at >= 0) this.#frames.length = at;
  }

  #isLineBreakBefore(at: number): boolean {
    return this.#source.slice(this.#beforeEnd, at).includes("\n");
  }

  /** Returns whether a member begins on a new line after a complete value, so that its comma is missing. */
  #beginsMember(at: number): boolean {
    const frame = this.#top();
    return frame?.kind === "object" && frame.state === "value" && ENDS_EXPRESSION.has(this.#before) && this.#isLineBreakBefore(at);
  }

  #beginMember(kind: ts.SyntaxKind, start: number, end: number): void {
    const isName = isWord(kind) || kind === SyntaxKind.StringLiteral;
    const frame = this.#top();
    if (!isName || frame === undefined || !this.#beginsMember(start)) return;
    if (CONTINUES_EXPRESSION.test(this.#source.slice(start, end))) return;
    frame.state = "name";
    frame.property = undefined;
  }

  #pathAfter(kind: ts.SyntaxKind, start: number, end: number): string {
    const isDot = (one: ts.SyntaxKind): boolean => one === SyntaxKind.DotToken || one === SyntaxKind.QuestionDotToken;
    if (isWord(kind)) return (isDot(this.#before) ? `${this.#path}.` : "") + this.#source.slice(start, end);
    return isDot(kind) ? this.#path : "";
  }

  #snapshot(spot: Cursor["spot"], more: Partial<Cursor> = {}): void {
    this.#depth = this.#frames.length;
    // The frames share their arrays of members, which the rest of the source still extends.
    const frames = this.#frames.map(({ state: _, ...frame }) => frame as Frame);
    this.#cursor = { spot, frames, word: wordAt(this.#source, this.#offset), ...more };
  }

  /** Records the cursor if it is before the token or in it. */
  #lookForCursor(kind: ts.SyntaxKind, start: number, end: number): void {
    const offset = this.#offset;
    if (offset <= start) this.#look(offset);
    else if (isTrivia(kind)) {
      const isComment =
        kind === SyntaxKind.SingleLineCommentTrivia ||
        (kind === SyntaxKind.MultiLineCommentTrivia && (offset < end || this.#scanner.isUnterminated()));
      if (isComment) this.#snapshot("none");
      else if (offset < end || kind === SyntaxKind.NewLineTrivia) this.#look(offset);
    } else if (isText(kind)) {
      const text = textAt(this.#source, start, end, kind, offset, this.#scanner.isUnterminated());
      // After a slot of a template, the cursor is in the template again.
      const slot = kind === SyntaxKind.TemplateMiddle || kind === SyntaxKind.TemplateTail ? this.#frames.pop() : undefined;
      if (text !== undefined) this.#look(start, text);
      if (slot !== undefined) this.#frames.push(slot);
    } else if (isWord(kind)) this.#look(start);
  }

  /** Records the cursor between tokens, or at a word. */
  #look(at: number, text?: TextAtCursor): void {
    const frame = this.#top();
    const missing = this.#beginsMember(at);
    const more: Partial<Cursor> = { ...(text === undefined ? {} : { text }), ...(missing ? { missingComma: this.#beforeEnd } : {}) };
    if (frame === undefined || frame.kind === "block" || frame.kind === "slot") this.#snapshot(text === undefined ? "none" : "value", more);
    else if (missing || (frame.kind === "object" && frame.state !== "value")) {
      // A name that ends before the cursor requires a colon next.
      const isNamed = frame.state === "named" && !missing && !(isWord(this.#before) && this.#isLineBreakBefore(at));
      this.#snapshot(isNamed ? "none" : "name", more);
    } else {
      const isBehindValue = ENDS_EXPRESSION.has(this.#before) && text === undefined && at >= this.#offset;
      this.#snapshot(isBehindValue ? "none" : "value", more);
    }
  }

  #applyToken(kind: ts.SyntaxKind, start: number, end: number): void {
    const frame = this.#top();
    switch (kind) {
      case SyntaxKind.OpenParenToken: {
        const isMethod = frame?.kind === "object" && frame.state === "named";
        if (isMethod) {
          endMember(frame);
          frame.state = "value";
        }
        this.#push("call", start, isMethod || this.#path === "" ? undefined : this.#path);
        return;
      }
      case SyntaxKind.OpenBracketToken:
        if (frame?.kind === "object" && frame.state === "name") {
          frame.state = "named";
          this.#push("array", start);
        } else this.#push("array", start, this.#path === "" ? undefined : this.#path);
        return;
      case SyntaxKind.OpenBraceToken:
        this.#push(BEFORE_OBJECT.has(this.#before) ? "object" : "block", start);
        return;
      case SyntaxKind.CloseParenToken:
        this.#pop("call");
        return;
      case SyntaxKind.CloseBracketToken:
        this.#pop("array");
        return;
      case SyntaxKind.CloseBraceToken:
        if (frame?.kind === "object") endMember(frame);
        this.#pop("object", "block");
        return;
      case SyntaxKind.TemplateHead:
        this.#push("slot", start);
        return;
      case SyntaxKind.TemplateTail:
        this.#pop("slot");
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
        if (isWord(kind)) frame.property = this.#source.slice(start, end);
        else if (kind === SyntaxKind.StringLiteral) frame.property = this.#source.slice(start + 1, end - 1);
        else return;
        frame.state = "named";
    }
  }
}

function endMember(frame: OpenFrame): void {
  if (frame.state === "named" && frame.property !== undefined) frame.members.push(frame.property);
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
