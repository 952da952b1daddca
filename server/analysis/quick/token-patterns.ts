// What is found of a source by regular expressions, from where a token begins: all are sticky.

export const TRIVIA = /(?:[ \t\r\n]+|\/\/[^\r\n\u2028\u2029]*|\/\*[\s\S]*?\*\/)*/y;
// Not followed by a letter that is none of ASCII, or by an escape of one.
export const NUMBER =
  /(?:0[xX][\da-fA-F]+|(?:0|[1-9]\d*(?:_\d+)*)(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)(?![\w$\\\u0080-\uffff.])/y;
// Without escapes, as nearly all are.
export const PLAIN_DOUBLE = /"[^"\\\r\n]*"/y;
export const PLAIN_SINGLE = /'[^'\\\r\n]*'/y;
export const DOUBLE = /"(?:[^"\\\r\n]|\\[\s\S])*"/y;
export const SINGLE = /'(?:[^'\\\r\n]|\\[\s\S])*'/y;
export const TEMPLATE = /(?:[^`\\$]|\\[\s\S]|\$(?!\{))*/y;
export const REGULAR =
  /\/(?![*/])(?:[^\\/[\r\n\u2028\u2029]|\\[^\r\n\u2028\u2029]|\[(?:[^\]\\\r\n\u2028\u2029]|\\[^\r\n\u2028\u2029])*\])+\/[a-z]*(?![\w$\\\u0080-\uffff])/y;
export const OPERATOR =
  /\.\.\.|\.(?!\d)|\?\?=?|\?\.(?!\d)|\?|=>|===?|=|!==?|!|\+[+=]?|-[-=]?|\*\*?=?|%=?|&&?=?|\|\|?=?|\^=?|<<?=?|[>{}()[\];,:~@#/]/y;
