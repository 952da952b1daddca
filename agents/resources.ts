// What an agent can read without calling a tool: the rules, the diagnoses and the authentication types.

import { DIAGNOSES } from "../platform/diagnosis/order.ts";
import { diagnosisPage } from "../platform/diagnosis/page.ts";
import { AUTH_TYPES, fieldsOf } from "../spec/auth-types.ts";
import type { AgentHost } from "./agent-host.ts";

interface AgentResource {
  readonly uri: string;
  readonly name: string;
  readonly mimeType: string;
}

const RULE = "pack-auth://rules/";
const DIAGNOSIS = "pack-auth://failures/";
const TYPES = "pack-auth://authentication-types";

const resource = (uri: string, name: string): AgentResource => ({ uri, name, mimeType: "text/markdown" });

export async function listResources({ sources }: AgentHost): Promise<readonly AgentResource[]> {
  return [
    resource(TYPES, "The authentication types and their fields"),
    ...(await sources.rules()).map(({ id }) => resource(RULE + id, `The rule ${id}`)),
    ...DIAGNOSES.map(({ id }) => resource(DIAGNOSIS + id, `The failure ${id}`)),
  ];
}

/** Returns Markdown, or undefined if there is no such resource. */
export async function readResource(uri: string, { sources }: AgentHost): Promise<string | undefined> {
  if (uri === TYPES) return typesPage();
  if (uri.startsWith(RULE)) return (await sources.rules()).find(({ id }) => id === uri.slice(RULE.length))?.page;
  const diagnosis = uri.startsWith(DIAGNOSIS) ? DIAGNOSES.find(({ id }) => id === uri.slice(DIAGNOSIS.length)) : undefined;
  return diagnosis && diagnosisPage(diagnosis);
}

/** Returns the authentication types with their fields, from the same records as completions and hovers. */
function typesPage(): string {
  const types = Object.values(AUTH_TYPES).filter(({ isHidden }) => isHidden !== true);
  const sections = types.map((type) => {
    const fields = fieldsOf(type.name, "user").map(
      ({ name, required, docs }) => `- \`${name}\`${required === true ? " (required)" : ""}: ${docs}`,
    );
    const setters = type.system ? "setUserAuthentication and setSystemAuthentication" : "setUserAuthentication only";
    return [`## ${type.name}`, type.docs, `Sends: \`${type.sends}\`. ${setters}.`, fields.join("\n")]
      .filter((part) => part !== "")
      .join("\n\n");
  });
  return `# Authentication types\n\n${sections.join("\n\n")}\n`;
}
