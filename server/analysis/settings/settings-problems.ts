// Describes the problems of settings files for programs that do not check with wrong settings.
import { positionAt } from "../text/lines.ts";
import type { SettingsFile } from "./settings.ts";

/** Returns `path:line:column: message` for each problem, by path. `nameOf` returns the path to print. */
export const describeProblems = (files: readonly SettingsFile[], nameOf: (path: string) => string): readonly string[] =>
  files
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
    .flatMap(({ path, text, problems }) =>
      problems.map(({ start, message }) => {
        const { line, character } = positionAt(text, start);
        return `${nameOf(path)}:${line + 1}:${character + 1}: ${message}`;
      }),
    );
