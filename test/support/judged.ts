// Validates a pack of several files with the Packs SDK's own upload validator. The files are written to a temporary folder.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Files } from "./analyse.ts";
import { uploadProblems, uploadProblemsOfSource } from "./validator.ts";

/**
 * Returns the reasons for which the upload would be rejected, or the error that the pack throws while it loads. The first file in `/pack/`
 * is the entry.
 */
export async function problemsOf(files: Files): Promise<readonly string[]> {
  const [[entry = "", source = ""] = [], ...otherFiles] = Object.entries(files);
  const problems = await (otherFiles.length === 0 ? uploadProblemsOfSource(source) : problemsOnDisk(files, entry)).catch(
    (error: unknown) => [{ message: `does not load: ${String(error)}` }],
  );
  return problems.map(({ message }) => message);
}

async function problemsOnDisk(files: Files, entry: string): ReturnType<typeof uploadProblems> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "judged-")));
  const inFolder = (file: string): string => join(folder, file.slice("/pack/".length));
  try {
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(dirname(inFolder(file)), { recursive: true });
      writeFileSync(inFolder(file), text);
    }
    return await uploadProblems(inFolder(entry));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
