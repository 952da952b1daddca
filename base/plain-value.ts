// Tells values that people write, such as words, numbers and dates, from values that programs generate.

/** Characters of a value without spaces, such as a list of fields or the name of a file. */
const LONGEST = 60;

const WORD = /^(?:\p{Ll}{1,16}|\p{Lu}{1,16}|\p{Lu}{0,4}\p{Ll}{1,15}(?:\p{Lu}{1,4}\p{Ll}{1,15}){0,4}\p{Lu}{0,4}|\p{Lo}{1,40})$/u;
/** Letters that no word has in a row. */
const UNSPEAKABLE = /[bcdfghjklmnpqrstvwxz]{6}|[BCDFGHJKLMNPQRSTVWXZ]{6}/;
/** A number, a telephone number, and a time in seconds or milliseconds. */
const NUMBER = /^(?:\d{1,12}|1\d{12})$/;
/** A name with a number: `v2`, `v1beta1`, `oauth2`, `s3`. */
const VERSION = /^(?:\p{L}{1,3}\d{1,4}|v\d{1,3}(?:alpha|beta|p|rc)\d{0,3}|(?:base|sha|http|html|page|utf)\d{1,3}|oauth2\p{L}{0,30})$/iu;
const DATE = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?$/;

/** Returns whether a value reads as words, numbers, a version, a date or an address, so that no secret is likely in it. */
export function isPlainValue(value: string): boolean {
  const text = value.trim();
  if (DATE.test(text)) return true;
  const isAddress = /^https?:\/\//.test(text);
  if (!isAddress && text.split(/[\s,;]+/).some((token) => token.length > LONGEST)) return false;
  const pieces = text.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  // A key that is divided into short groups has several pieces that are no words.
  const mixed = pieces.filter((piece) => !NUMBER.test(piece) && (!WORD.test(piece) || UNSPEAKABLE.test(piece)));
  return mixed.every((piece) => VERSION.test(piece) || piece.length <= 3) && mixed.length <= 1;
}

/** Returns whether no text between quotes in a piece of source code may be a secret. */
export const isPlainCode = (code: string): boolean =>
  code.split(/["'`\n]/).every((piece) => isPlainValue(piece) && !/^\s{0,9}\d{4,40}\s{0,9}$/.test(piece));
