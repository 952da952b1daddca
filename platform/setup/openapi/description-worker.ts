// The thread that reads the description of an API: the host can end it, whatever the text does to the parsers. It has its own bundle, see
// description-apart.ts.
import { parentPort, workerData } from "node:worker_threads";
import { PackAuthError } from "../../errors.ts";
import type { Reading } from "./api-description.ts";
import { parseDescription } from "./parse-description.ts";
import { readDescription } from "./read-description.ts";

function read(text: string): Reading {
  try {
    return { description: readDescription(parseDescription(text)) };
  } catch (error) {
    if (error instanceof PackAuthError) return { problem: error.message, hint: error.hint ?? "" };
    throw error;
  }
}

parentPort?.postMessage(read(workerData as string));
