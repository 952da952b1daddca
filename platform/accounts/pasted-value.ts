// Finds characters that copying adds to a credential, in values from any source, so that they are not sent to a provider.
import { PackAuthError } from "../errors.ts";

/** Returns the value without leading and trailing spaces, which copying adds. A password is unchanged, because they may be part of it. */
export const pastedText = (value: string, isPassword = false): string => (isPassword ? value : value.trim());

/** Returns what is wrong with a required value, or undefined. */
export function valueProblem(value: string, isPassword = false): string | undefined {
  if (isPassword) return controlCharacterProblem(value);
  return value.trim() === "" ? "Enter a value." : pastedProblem(value);
}

/** Returns a value that no prompt checked, trimmed as a prompt would. Throws credentials-missing with the name of its `source`. */
export function checkedValue(value: string, source: string, isPassword = false): string {
  const text = pastedText(value, isPassword);
  const problem = value === "" ? undefined : valueProblem(text, isPassword);
  if (problem !== undefined) throw new PackAuthError("credentials-missing", `${source} cannot be used.`, { hint: problem });
  return text;
}

/** Returns a problem that copying causes in a token, ID or secret, or undefined. A password may contain anything that a person can type. */
export function pastedProblem(value: string): string | undefined {
  const shortened = /[…•]/u.exec(value)?.[0];
  if (shortened !== undefined) return `Copy the whole value. It contains “${shortened}”, as pages show values that they shorten or hide.`;
  if (/^(["'`]).*\1$/s.test(value)) return "Enter the value without the quotation marks around it.";
  const odd = /[“”„‘’‚«»]|[\p{Cf}\p{Zl}\p{Zp}\u00a0]/u.exec(value)?.[0];
  if (odd === undefined) return controlCharacterProblem(value);
  const point = `U+${(odd.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
  return /\p{P}/u.test(odd)
    ? `Copy the value again. It contains ${odd} (${point}), which text editors put in place of plain quotation marks.`
    : `Copy the value again. It contains an invisible character (${point}).`;
}

/**
 * Returns the problem of a control character, or undefined. A line break in a header would start another header (RFC 9110, section 5.5).
 */
function controlCharacterProblem(value: string): string | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
  return /[\u0000-\u001f\u007f]/.test(value) ? "Copy the value again. It contains a line break or a control character." : undefined;
}
