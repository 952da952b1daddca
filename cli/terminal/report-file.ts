// Writes a report to the file that an option names, such as --sarif-file, in addition to standard output.
import { dirname, resolve } from "node:path";
import { errorMessage } from "../../base/error-message.ts";
import { makeFolder } from "../../platform/files/make-folder.ts";
import { writeWhole } from "../../platform/files/write-file.ts";
import type { Terminal } from "./terminal.ts";
import { UsageError } from "./usage-error.ts";

/** Other users may read a report. */
const [FILE_MODE, FOLDER_MODE] = [0o666, 0o777];

/** Creates a missing folder. Replaces a link of that name, and leaves its target unchanged. Throws UsageError. */
export async function writeReportFile({ folder }: Terminal, option: string, path: string, text: string): Promise<void> {
  const file = resolve(folder, path);
  try {
    makeFolder(dirname(file), FOLDER_MODE);
    await writeWhole(file, text, { mode: FILE_MODE });
  } catch (error) {
    throw new UsageError(`${option} ${path} cannot be written: ${errorMessage(error)}.`);
  }
}
