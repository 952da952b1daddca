// Adds an answer to the text of sandbox.json. The rest of the text stays as it was written.
import { findNodeAtLocation, parseTree } from "jsonc-parser/lib/esm/main.js";
import { parseStubs, type Stub } from "./stubs.ts";

interface Added {
  readonly text: string;
  /** The offsets of the answer's body in the text, so that the editor can show it to the author. */
  readonly body: { readonly start: number; readonly end: number };
}

/**
 * Returns the file's text with the answer. `text` is undefined if there is no file yet. A second answer for the same request is not added.
 * Throws sandbox-failed for an invalid file.
 */
export function withStub(text: string | undefined, file: string, stub: Stub): Added {
  const before = text === undefined || text.trim() === "" ? "{}\n" : text;
  const { answers } = parseStubs(before, file);
  const existingIndex = answers.findIndex(({ request }) => request === stub.request);
  const after = existingIndex < 0 ? inserted(before, stub) : before;
  return { text: after, body: bodyAt(after, existingIndex < 0 ? answers.length : existingIndex) };
}

function inserted(text: string, stub: Stub): string {
  const root = parseTree(text);
  const list = root && findNodeAtLocation(root, ["answers"]);
  const newLine = text.includes("\r\n") ? "\r\n" : "\n";
  const unit = /^[ \t]+/m.exec(text)?.[0] ?? "  ";
  const lines = (indent: string): string =>
    JSON.stringify(stub, null, unit)
      .split("\n")
      .map((line) => indent + line)
      .join(newLine);
  const last = list?.children?.at(-1);
  if (last !== undefined) {
    const before = text.slice(text.lastIndexOf("\n", last.offset) + 1, last.offset);
    const indent = before.trim() === "" && before !== "" ? before : unit + unit;
    return spliced(text, last.offset + last.length, 0, `,${newLine}${lines(indent)}`);
  }
  const whole = `[${newLine}${lines(unit + unit)}${newLine}${unit}]`;
  if (list !== undefined) return spliced(text, list.offset, list.length, whole);
  const isEmpty = (root?.children ?? []).length === 0;
  return spliced(text, (root?.offset ?? 0) + 1, 0, `${newLine}${unit}"answers": ${whole}${isEmpty ? newLine : ","}`);
}

const spliced = (text: string, at: number, length: number, piece: string): string => text.slice(0, at) + piece + text.slice(at + length);

function bodyAt(text: string, index: number): Added["body"] {
  const root = parseTree(text);
  const stubNode = root && findNodeAtLocation(root, ["answers", index]);
  const node = (stubNode && findNodeAtLocation(stubNode, ["body"])) ?? stubNode;
  return { start: node?.offset ?? 0, end: (node?.offset ?? 0) + (node?.length ?? 0) };
}
