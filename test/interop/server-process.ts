// One of the authorization servers, in a process of its own.
import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Authority } from "./authority.ts";

export interface Client {
  readonly clientId: string;
  /** Absent for a public client. */
  readonly clientSecret?: string;
  readonly redirectUri: string;
  /** How it sends its secret, where the server wants to know. */
  readonly takes?: ClientWay;
}

export type ClientWay = "form" | "basic";

export interface ServerProcess {
  readonly origin: string;
  readonly authorizationUrl: string;
  readonly tokenUrl: string;
  /** `GET` gives the name of the account; answered for the server's own tokens. */
  readonly api: string;
  /** The MCP server that it protects, where it is made for one. */
  readonly mcp?: string;
  /** As a person does in the provider's developer settings. */
  register(client: Client): Promise<void>;
  /** Lets time pass at the server. */
  later(seconds: number): Promise<void>;
  /** The last thing that the server sent to the person, as by e-mail. */
  readonly mail: { readonly code?: string };
  close(): void;
}

export const LIFETIME = 600;

/** `more`: what this server wants to know beside that. */
export async function startServer(name: string, { key, cert }: Authority, more: object = {}): Promise<ServerProcess> {
  const child = fork(join(import.meta.dirname, "servers", `${name}.mjs`), [JSON.stringify({ key, cert, lifetime: LIFETIME, ...more })], {
    silent: true,
    execArgv: [],
  });
  const errors: string[] = [];
  child.stderr?.setEncoding("utf8").on("data", (text: string) => errors.push(text));
  let mail: { readonly code?: string } = {};
  child.on("message", (message: { mail?: { code: string } }) => {
    if (message.mail !== undefined) mail = message.mail;
  });
  const addresses = await firstLine(child, () => errors.join(""));
  const ask = (message: object): Promise<void> =>
    new Promise((resolve, reject) => {
      const settle = (reply: { done?: true; failed?: string }): void => {
        if (reply.done === undefined && reply.failed === undefined) return;
        child.off("message", settle);
        if (reply.done) resolve();
        else reject(new Error(reply.failed));
      };
      child.on("message", settle);
      child.send(message);
    });
  return {
    ...addresses,
    register: (client) => ask({ register: client }),
    later: (seconds) => ask({ later: seconds }),
    get mail() {
      return mail;
    },
    close: () => void child.kill(),
  };
}

type Addresses = Pick<ServerProcess, "origin" | "authorizationUrl" | "tokenUrl" | "api" | "mcp">;

function firstLine(child: ChildProcess, errors: () => string): Promise<Addresses> {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", () => reject(new Error(`The server ended before it was ready: ${errors()}`)));
    if (child.stdout === null) return reject(new Error("The server has no output."));
    // It may greet its reader first.
    createInterface({ input: child.stdout }).on("line", (line) => {
      if (line.startsWith('{"origin":')) resolve(JSON.parse(line) as Addresses);
    });
  });
}
