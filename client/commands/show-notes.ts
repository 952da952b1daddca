// Shows the notes of a successful action, one message each.
import type { Note } from "../../platform/connect/account-endpoint.ts";
import type { Echo } from "../../platform/sandbox/first-echo.ts";
import type { Services } from "../services.ts";
import { showWarning } from "../shown/messages.ts";
import { openConfiguration } from "../window/show-error.ts";
import { addStub } from "./add-stub.ts";

export function showNotes(services: Pick<Services, "server" | "showError">, signInNotes: readonly Note[], entry: string): void {
  for (const note of signInNotes) {
    const { message, error, echo } = note;
    if (error !== undefined) void services.showError(error, entry);
    else if (echo === undefined) void offerConfiguration(services, note, entry);
    else void offerStub(services, message, echo, entry);
  }
}

async function offerConfiguration({ server }: Pick<Services, "server">, { message, configPath }: Note, entry: string): Promise<void> {
  const choice = await showWarning(message, ...(configPath === undefined ? [] : ["Open configuration"]));
  if (choice !== undefined && configPath !== undefined) await openConfiguration(server, entry, configPath);
}

export const ADD_STUB = "Add an answer";

async function offerStub(services: Pick<Services, "server" | "showError">, message: string, echo: Echo, entry: string): Promise<void> {
  if ((await showWarning(message, ADD_STUB)) === ADD_STUB) await addStubs(services, [echo], entry);
}

export async function addStubs(
  { server, showError }: Pick<Services, "server" | "showError">,
  echoes: readonly Echo[],
  entry: string,
): Promise<void> {
  for (const { request, expected } of echoes)
    await addStub(server, entry, request, expected).catch((error: unknown) => showError(error, entry));
}
