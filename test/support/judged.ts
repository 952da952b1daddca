// A pack of several files, as the toolkit's own upload validator judges it: written to a folder of its own, which is gone afterwards.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Files } from "./analyse.ts";
import { uploadProblems, uploadProblemsOfSource } from "./validator.ts";

/** What the upload would be rejected for, and what the pack would throw while it loads. Of files in `/pack/`, the first is the entry. */
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
