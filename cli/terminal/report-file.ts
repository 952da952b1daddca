// A report that an option names a file for, such as --sarif-file: written beside the one on standard output.
import { dirname, resolve } from "node:path";
import { errorMessage } from "../../base/error-message.ts";
import { makeFolder } from "../../platform/files/make-folder.ts";
import { writeWhole } from "../../platform/files/write-file.ts";
import { UsageError } from "../usage-error.ts";

/** Others may read it: it is a report. */
const [FILE_MODE, FOLDER_MODE] = [0o666, 0o777];

/** Makes the folder where it is missing. A link of that name is replaced, and what it leads to stays. Throws UsageError. */
export async function writeReportFile(option: string, path: string, text: string): Promise<void> {
  const file = resolve(path);
  try {
    makeFolder(dirname(file), FOLDER_MODE);
    await writeWhole(file, text, { mode: FILE_MODE });
  } catch (error) {
    throw new UsageError(`${option} ${path} cannot be written: ${errorMessage(error)}.`);
  }
}
