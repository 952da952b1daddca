// Asks what the authentication is set up from. The clipboard is read when the command is called, and only its kind is shown: it may contain a
// credential.
import { basename } from "node:path";
import * as vscode from "vscode";
import { PackAuthError } from "../../platform/errors.ts";
import { readRegularFile } from "../../platform/files/regular-file.ts";
import { type EvidenceKind, LARGEST_EVIDENCE } from "../../platform/setup/evidence-kind.ts";
import type { Evidence } from "../../platform/setup/propose.ts";
import { recogniseEvidence } from "../../platform/setup/recognise.ts";
import { providerPages } from "../../spec/providers.ts";
import { askFile, type Choice, pick, prompter } from "../shown/questions.ts";

export const TITLE = "Set up authentication";

/** What the clipboard holds, as the menu names it. */
const CLIPBOARD: Readonly<Record<EvidenceKind, string>> = {
  curl: "The cURL command on the clipboard",
  openapi: "The API description on the clipboard",
  issuer: "The address of an issuer on the clipboard",
  mcp: "The address of an MCP server on the clipboard",
  address: "The address on the clipboard",
  provider: "The provider on the clipboard",
};

type Source = "clipboard" | "file" | "address" | "provider";

/** Returns undefined if the person cancelled. Throws evidence-unreadable. */
export async function askEvidence(): Promise<Evidence | undefined> {
  const clipboard = (await vscode.env.clipboard.readText()).trim();
  const kind = clipboard === "" ? undefined : recogniseEvidence(clipboard);
  const items: Choice<Source>[] = [
    ...(kind === undefined ? [] : [{ icon: "clippy", label: CLIPBOARD[kind], value: "clipboard" as const }]),
    { icon: "organization", label: "A provider", detail: "Choose from the providers that have a page.", value: "provider" },
    {
      icon: "globe",
      label: "An address",
      detail: "An OAuth or OpenID Connect issuer, an MCP server, an API to try, or an API description. You are asked before it is read.",
      value: "address",
    },
    { icon: "file-code", label: "A file", detail: "An OpenAPI or Swagger description, or a cURL command.", value: "file" },
  ];
  const source = await pick({
    title: TITLE,
    placeholder: kind === undefined ? "From what? Copy a cURL command first to set it up from that." : "From what?",
    items,
  });
  return source && EVIDENCE[source](clipboard);
}

const EVIDENCE: Readonly<Record<Source, (clipboard: string) => Promise<Evidence | undefined>>> = {
  clipboard: async (text) => ({ text }),
  file: chooseFile,
  address: askAddress,
  provider: askProvider,
};

async function chooseFile(): Promise<Evidence | undefined> {
  const file = await askFile({
    title: TITLE,
    label: "Set up from it",
    name: "API descriptions and cURL commands",
    endings: ["json", "yaml", "yml", "txt", "sh"],
  });
  if (file === undefined) return undefined;
  const text = readRegularFile(file, LARGEST_EVIDENCE);
  if (text === undefined)
    throw new PackAuthError("evidence-unreadable", `${basename(file)} cannot be read, or is larger than 20 MB.`, {
      hint: "Choose a smaller file: only the servers, the security schemes and a few operations are needed.",
    });
  return { text };
}

async function askAddress(): Promise<Evidence | undefined> {
  const text = await prompter.input({
    title: TITLE,
    prompt: "Enter the address.",
    placeholder: "https://api.example.com",
    validate: (value) => (URL.canParse(value.trim()) ? undefined : "Enter a whole address, such as https://api.example.com."),
  });
  return text === undefined ? undefined : { text: text.trim() };
}

async function askProvider(): Promise<Evidence | undefined> {
  const id = await pick({
    title: TITLE,
    placeholder: "Which provider?",
    items: [...providerPages()]
      .sort((a, b) => a.title.localeCompare(b.title))
      .map(({ id, title, domains }) => ({ label: title, description: domains.join(", "), value: id })),
  });
  return id === undefined ? undefined : { kind: "provider", text: id };
}
