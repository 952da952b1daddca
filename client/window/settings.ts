// Reads the client's settings at each use. The language server reads its own.
import * as vscode from "vscode";
import { defined } from "../../base/defined.ts";
import { DEFAULT_REDIRECT, type RedirectSettings } from "../../platform/oauth/receiver.ts";
import { TIME_LIMIT, timeLimitOf } from "../../platform/process/process-limits.ts";
import { ownTimezone } from "../../platform/runs/read-date.ts";
import type { CallOptions } from "../../platform/runs/run-input.ts";
import type { RunWorld } from "../../platform/runs/run-world.ts";
import type { FilledForm } from "../../protocol/panel.ts";
import { DEFAULT_TOOLKIT } from "../../spec/toolkit.ts";

const setting = <T>(name: string): T | undefined => vscode.workspace.getConfiguration("packAuth").get<T>(name);

/** Returns undefined if the setting is empty. */
const text = (name: string): string | undefined => setting<string>(name)?.trim() || undefined;

export const userName = (): string | undefined => text("userName");

export const nodePath = (): string | undefined => text("nodePath");

export const onePasswordProgram = (): string | undefined => text("onePasswordProgram");

export const usesWorkspaceEsbuild = (): boolean => setting<boolean>("useWorkspaceEsbuild") === true;

export function toolkitModules(): readonly string[] {
  const named = setting<readonly string[]>("toolkitModules") ?? [];
  return named.length > 0 ? named : [DEFAULT_TOOLKIT];
}

export const trustedCertificates = (): readonly string[] => setting<readonly string[]>("trustedCertificates") ?? [];

/** Returns the IANA name of the documents' time zone. */
export const timezone = (): string => text("timezone") ?? ownTimezone;

/** Returns what a filled form says about its call. */
export const callOf = ({ rowLimit, asAssistant }: FilledForm): CallOptions & { readonly timezone: string } => ({
  timezone: timezone(),
  ...defined({ rowLimit, source: asAssistant === true ? ("Go" as const) : undefined }),
});

/** Returns the settings of every run's world. */
export function worldSettings(): Pick<RunWorld, "allowLoopback" | "timeLimit"> {
  const seconds = setting<number>("timeLimit") ?? 0;
  return { allowLoopback: setting<boolean>("allowLoopback") === true, timeLimit: seconds > 0 ? timeLimitOf(seconds) : TIME_LIMIT };
}

/** Allows requests to this machine, for every workspace of the user. */
export const allowLoopback = async (): Promise<void> =>
  vscode.workspace.getConfiguration("packAuth").update("allowLoopback", true, vscode.ConfigurationTarget.Global);

export function redirectSettings(): RedirectSettings {
  const port = setting<number>("redirect.port");
  const path = text("redirect.path");
  return {
    host: text("redirect.host") === "127.0.0.1" ? "127.0.0.1" : DEFAULT_REDIRECT.host,
    port: Number.isInteger(port) && port !== undefined && port >= 0 && port < 65_536 ? port : DEFAULT_REDIRECT.port,
    path: path?.startsWith("/") ? path : DEFAULT_REDIRECT.path,
    via: text("redirect.via") === "editor" ? "editor" : "loopback",
  };
}
