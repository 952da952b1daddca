// Checks a team's packauth.accounts.json, for the editor and the command line. Invariant: no message contains a text of the file, which may
// be a secret.
import { findNodeAtLocation, type Node, type ParseError, parseTree } from "jsonc-parser/lib/esm/main.js";
import { createDepthScan } from "../../../base/json-depth.ts";
import { type AccountFileProblem, DEEPEST_ACCOUNT_FILE, LARGEST_ACCOUNT_FILE, readAccountFile } from "../../../spec/account-file.ts";
import { MOST_PROBLEMS, type SettingsProblem, sayParseError } from "./settings-file.ts";

/** Returns the problems at their places. Unlike in settings, comments and trailing commas are problems, since other programs read the file. */
export function accountFileProblems(text: string): readonly SettingsProblem[] {
  const atStart = (message: string): readonly SettingsProblem[] => [{ start: 0, end: Math.min(1, text.length), message }];
  if (text.length > LARGEST_ACCOUNT_FILE) return atStart(`At most ${LARGEST_ACCOUNT_FILE / 1024} KiB are read. Divide the file.`);
  if (createDepthScan(DEEPEST_ACCOUNT_FILE)(text)) return atStart(`The file nests more than ${DEEPEST_ACCOUNT_FILE} levels deep.`);
  // A byte order mark is not valid JSON; a space in its place keeps the offsets.
  const json = text.replace(/^\ufeff/, " ");
  const errors: ParseError[] = [];
  const root = parseTree(json, errors, { disallowComments: true });
  const content = parsed(json);
  if (root === undefined || content === undefined || errors.length > 0) {
    const [{ offset, length, ...error }] = errors.length > 0 ? (errors as [ParseError]) : [{ error: 1, offset: 0, length: 1 }];
    const end = Math.min(Math.max(offset, offset + length), text.length);
    return [{ start: Math.min(offset, end), end, message: `This is not valid JSON: ${sayParseError({ offset, length, ...error })}.` }];
  }
  return [
    ...repeatedMembers(root).map((key) => ({
      ...spanOf(key),
      message: "This member is here twice, and only the last one is read. Remove one.",
    })),
    ...readAccountFile(content.value).problems.map((problem) => problemAt(root, problem)),
  ].slice(0, MOST_PROBLEMS);
}

function parsed(json: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(json) };
  } catch {
    return undefined;
  }
}

function problemAt(root: Node, { path, message, replacement }: AccountFileProblem): SettingsProblem {
  const fix =
    replacement === undefined ? {} : { fix: { title: `Replace the secret by ${replacement}`, text: JSON.stringify(replacement) } };
  return { ...spanOf(nodeAt(root, path)), message, ...fix };
}

/** Returns the node of a member, or of the nearest one above a missing member. */
function nodeAt(root: Node, path: AccountFileProblem["path"]): Node {
  for (let length = path.length; length > 0; length--) {
    const node = findNodeAtLocation(root, path.slice(0, length));
    if (node !== undefined) return node;
  }
  return root;
}

const spanOf = ({ offset, length }: Node) => ({ start: offset, end: offset + length });

function repeatedMembers(node: Node): readonly Node[] {
  const keys = node.type === "object" ? (node.children ?? []).flatMap(({ children: [key] = [] }) => key ?? []) : [];
  const names = new Set<unknown>();
  const repeated = keys.filter(({ value }) => names.size === names.add(value).size);
  return [...repeated, ...(node.children ?? []).flatMap(repeatedMembers)];
}
