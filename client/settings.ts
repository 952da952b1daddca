// Reads the client's settings at each use. The language server reads its own.
import * as vscode from "vscode";
import { defined } from "../base/defined.ts";
import { DEFAULT_REDIRECT, type RedirectSettings } from "../platform/oauth/receiver.ts";
import { timeLimitOf } from "../platform/process/process-limits.ts";
import type { RunOptions } from "../platform/runs/run-options.ts";
import { DEFAULT_TOOLKIT } from "../spec/toolkit.ts";

const setting = <T>(name: string): T | undefined => vscode.workspace.getConfiguration("packAuth").get<T>(name);

/** Returns undefined if the setting is empty. */
const text = (name: string): string | undefined => setting<string>(name)?.trim() || undefined;

export const userName = (): string | undefined => text("userName");

export const nodePath = (): string | undefined => text("nodePath");

export const usesWorkspaceEsbuild = (): boolean => setting<boolean>("useWorkspaceEsbuild") === true;

export function toolkitModules(): readonly string[] {
  const named = setting<readonly string[]>("toolkitModules") ?? [];
  return named.length > 0 ? named : [DEFAULT_TOOLKIT];
}

export const trustedCertificates = (): readonly string[] => setting<readonly string[]>("trustedCertificates") ?? [];

/** Returns the options for every run. */
export function runSettings(): Pick<RunOptions, "allowLoopback" | "timezone" | "timeLimit"> {
  const seconds = setting<number>("timeLimit") ?? 0;
  return {
    allowLoopback: setting<boolean>("allowLoopback") === true,
    ...defined({ timezone: text("timezone"), timeLimit: seconds > 0 ? timeLimitOf(seconds) : undefined }),
  };
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
