// What signs and reserved words are, as tokens.
import { ts } from "ts-morph";

const { SyntaxKind } = ts;

export const OPERATORS: ReadonlyMap<string, ts.SyntaxKind> = new Map([
  ["...", SyntaxKind.DotDotDotToken],
  [".", SyntaxKind.DotToken],
  ["??=", SyntaxKind.QuestionQuestionEqualsToken],
  ["??", SyntaxKind.QuestionQuestionToken],
  ["?.", SyntaxKind.QuestionDotToken],
  ["?", SyntaxKind.QuestionToken],
  ["=>", SyntaxKind.EqualsGreaterThanToken],
  ["===", SyntaxKind.EqualsEqualsEqualsToken],
  ["==", SyntaxKind.EqualsEqualsToken],
  ["=", SyntaxKind.EqualsToken],
  ["!==", SyntaxKind.ExclamationEqualsEqualsToken],
  ["!=", SyntaxKind.ExclamationEqualsToken],
  ["!", SyntaxKind.ExclamationToken],
  ["++", SyntaxKind.PlusPlusToken],
  ["+=", SyntaxKind.PlusEqualsToken],
  ["+", SyntaxKind.PlusToken],
  ["--", SyntaxKind.MinusMinusToken],
  ["-=", SyntaxKind.MinusEqualsToken],
  ["-", SyntaxKind.MinusToken],
  ["**=", SyntaxKind.AsteriskAsteriskEqualsToken],
  ["**", SyntaxKind.AsteriskAsteriskToken],
  ["*=", SyntaxKind.AsteriskEqualsToken],
  ["*", SyntaxKind.AsteriskToken],
  ["%=", SyntaxKind.PercentEqualsToken],
  ["%", SyntaxKind.PercentToken],
  ["&&=", SyntaxKind.AmpersandAmpersandEqualsToken],
  ["&&", SyntaxKind.AmpersandAmpersandToken],
  ["&=", SyntaxKind.AmpersandEqualsToken],
  ["&", SyntaxKind.AmpersandToken],
  ["||=", SyntaxKind.BarBarEqualsToken],
  ["||", SyntaxKind.BarBarToken],
  ["|=", SyntaxKind.BarEqualsToken],
  ["|", SyntaxKind.BarToken],
  ["^=", SyntaxKind.CaretEqualsToken],
  ["^", SyntaxKind.CaretToken],
  ["<<=", SyntaxKind.LessThanLessThanEqualsToken],
  ["<<", SyntaxKind.LessThanLessThanToken],
  ["<=", SyntaxKind.LessThanEqualsToken],
  ["<", SyntaxKind.LessThanToken],
  [">", SyntaxKind.GreaterThanToken],
  ["{", SyntaxKind.OpenBraceToken],
  ["}", SyntaxKind.CloseBraceToken],
  ["(", SyntaxKind.OpenParenToken],
  [")", SyntaxKind.CloseParenToken],
  ["[", SyntaxKind.OpenBracketToken],
  ["]", SyntaxKind.CloseBracketToken],
  [";", SyntaxKind.SemicolonToken],
  [",", SyntaxKind.CommaToken],
  [":", SyntaxKind.ColonToken],
  ["~", SyntaxKind.TildeToken],
  ["/", SyntaxKind.SlashToken],
]);

/** By their codes: signs that begin no longer one. */
export const SINGLES: (ts.SyntaxKind | undefined)[] = [];
for (const sign of "{}()[];,:~") SINGLES[sign.charCodeAt(0)] = OPERATORS.get(sign);

/** Reserved words; the others (`of`, `async`, `type` …) are names until a place makes more of them. */
export const KEYWORDS: ReadonlyMap<string, ts.SyntaxKind> = new Map([
  ["break", SyntaxKind.BreakKeyword],
  ["case", SyntaxKind.CaseKeyword],
  ["catch", SyntaxKind.CatchKeyword],
  ["class", SyntaxKind.ClassKeyword],
  ["const", SyntaxKind.ConstKeyword],
  ["continue", SyntaxKind.ContinueKeyword],
  ["debugger", SyntaxKind.DebuggerKeyword],
  ["default", SyntaxKind.DefaultKeyword],
  ["delete", SyntaxKind.DeleteKeyword],
  ["do", SyntaxKind.DoKeyword],
  ["else", SyntaxKind.ElseKeyword],
  ["enum", SyntaxKind.EnumKeyword],
  ["export", SyntaxKind.ExportKeyword],
  ["extends", SyntaxKind.ExtendsKeyword],
  ["false", SyntaxKind.FalseKeyword],
  ["finally", SyntaxKind.FinallyKeyword],
  ["for", SyntaxKind.ForKeyword],
  ["function", SyntaxKind.FunctionKeyword],
  ["if", SyntaxKind.IfKeyword],
  ["import", SyntaxKind.ImportKeyword],
  ["in", SyntaxKind.InKeyword],
  ["instanceof", SyntaxKind.InstanceOfKeyword],
  ["new", SyntaxKind.NewKeyword],
  ["null", SyntaxKind.NullKeyword],
  ["return", SyntaxKind.ReturnKeyword],
  ["super", SyntaxKind.SuperKeyword],
  ["switch", SyntaxKind.SwitchKeyword],
  ["this", SyntaxKind.ThisKeyword],
  ["throw", SyntaxKind.ThrowKeyword],
  ["true", SyntaxKind.TrueKeyword],
  ["try", SyntaxKind.TryKeyword],
  ["typeof", SyntaxKind.TypeOfKeyword],
  ["var", SyntaxKind.VarKeyword],
  ["void", SyntaxKind.VoidKeyword],
  ["while", SyntaxKind.WhileKeyword],
  ["with", SyntaxKind.WithKeyword],
  // Reserved in places; here a name by them is nothing to be sure about.
  ["implements", SyntaxKind.ImplementsKeyword],
  ["interface", SyntaxKind.InterfaceKeyword],
  ["let", SyntaxKind.LetKeyword],
  ["package", SyntaxKind.PackageKeyword],
  ["private", SyntaxKind.PrivateKeyword],
  ["protected", SyntaxKind.ProtectedKeyword],
  ["public", SyntaxKind.PublicKeyword],
  ["static", SyntaxKind.StaticKeyword],
  ["yield", SyntaxKind.YieldKeyword],
  ["await", SyntaxKind.AwaitKeyword],
]);

/** How long the reserved words are that begin and end with two letters, as bits: to look up each name would take longer than to read it. */
const LENGTHS = new Uint16Array(1024);
for (const word of KEYWORDS.keys()) {
  const place = letters(word.charCodeAt(0), word.charCodeAt(word.length - 1));
  LENGTHS[place] = (LENGTHS[place] ?? 0) | (1 << word.length);
}

function letters(first: number, last: number): number {
  return ((first & 31) << 5) | (last & 31);
}

/** Whether it is worth to look a word up; not for nearly all that are not reserved. */
export const mayBeReserved = (first: number, last: number, length: number): boolean =>
  ((LENGTHS[letters(first, last)] ?? 0) & (1 << length)) !== 0;
