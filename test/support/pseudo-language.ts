// A language that nobody speaks, for tests: a message that is still in English has not been through the list of messages, and a layout
// that cuts these longer words would cut a translation's. `qps-ploc` is the name that Windows and VS Code have for it.
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./packs.ts";

export const PSEUDO_LANGUAGE = "qps-ploc";

const LETTERS: Readonly<Record<string, string>> = Object.fromEntries(
  [..."abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"].map((letter, index) => [
    letter,
    [..."àƀċđēƒğĥīĵķľɱńōþɋŕśţūṽŵẋŷžÀƁĊĐĒƑĞĤĪĴĶĽṀŃŌÞɊŔŚŢŪṼŴẊŶŽ"][index] as string,
  ]),
);

/** Values, links' targets, icons, addresses and references to commands and settings stay as they are. */
const STAYS = /\{\d+\}|\]\([^)]*\)|\$\([^)]*\)|https?:\/\/[^\s"'`]+|command:[\w.]+|%[\w.]+%|#[\w.]+#/g;

/** The message with every letter changed and, as in many languages, a third longer. */
export function pseudo(message: string): string {
  const replaceLetters = (text: string): string =>
    [...text].map((letter) => `${LETTERS[letter] ?? letter}${/[aeiou]/.test(letter) ? (LETTERS[letter] ?? "") : ""}`).join("");
  let position = 0;
  let result = "";
  for (const { 0: stays, index } of message.matchAll(STAYS)) {
    result += replaceLetters(message.slice(position, index)) + stays;
    position = index + stays.length;
  }
  return result + replaceLetters(message.slice(position));
}

const translated = (file: string): string =>
  JSON.stringify(
    Object.fromEntries(
      Object.entries(JSON.parse(readFileSync(join(root, file), "utf8")) as Record<string, string>).map(([key, text]) => [
        key,
        pseudo(text),
      ]),
    ),
  );

/** A folder with the extension as it is built, and its translation. */
export function translateExtension(folder: string): void {
  mkdirSync(join(folder, "l10n"), { recursive: true });
  for (const name of ["docs", "examples", "media", "schemas", "syntaxes"]) symlinkSync(join(root, name), join(folder, name));
  // Code behind a link would be no extension's for the editor, which gives each its own messages.
  cpSync(join(root, "dist"), join(folder, "dist"), { recursive: true, filter: (file) => !file.endsWith(".map") });
  for (const name of readdirSync(root).filter((name) => /^(package(\.nls)?\.json|README\.md|LICENSE)$/.test(name)))
    cpSync(join(root, name), join(folder, name));
  writeFileSync(join(folder, `package.nls.${PSEUDO_LANGUAGE}.json`), translated("package.nls.json"));
  writeFileSync(join(folder, `l10n/bundle.l10n.${PSEUDO_LANGUAGE}.json`), translated("l10n/bundle.l10n.json"));
}
