// `sandbox.json` beside a pack: what the sandbox's API answers. Anything it does not name is answered with an echo.
import { existsSync, readFileSync } from "node:fs";
import { PackAuthError } from "../errors.ts";

export interface Answer {
  /** `GET https://api.example.com/v1/tasks/*`: method and logical URL, `*` standing for any text; the query only matters where it is written. */
  readonly request: string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON, or a text. */
  readonly body?: unknown;
  /** False: answered without a credential too. */
  readonly authenticate?: boolean;
}

export interface SandboxAnswers {
  readonly answers: readonly Answer[];
  /** The endpoint that a sandbox account gets, where the configuration needs one. */
  readonly endpoint?: string;
  /** Seconds that access tokens live; 3600 by default. */
  readonly tokenLifetime?: number;
}

const NONE: SandboxAnswers = { answers: [] };

/** Reads the file; one that is not there is empty. Throws sandbox-failed naming what is wrong and where. */
export function readAnswers(file: string | undefined): SandboxAnswers {
  if (file === undefined || !existsSync(file)) return NONE;
  let parsed: unknown;
  try {
    parsed = JSON.parse(readFileSync(file, "utf8"));
  } catch (cause) {
    throw new PackAuthError("sandbox-failed", `${file} is not valid JSON: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
  }
  const fail = (where: string, what: string): never => {
    throw new PackAuthError("sandbox-failed", `${file}: ${where} ${what}.`, { location: { path: file, line: 0, character: 0 } });
  };
  if (!isRecord(parsed)) return fail("the file", "must be an object");
  const { answers = [], endpoint, tokenLifetime } = parsed;
  if (!Array.isArray(answers)) return fail("answers", "must be a list");
  for (const [index, answer] of answers.entries()) {
    if (!isRecord(answer)) fail(`answers[${index}]`, "must be an object");
    const { request, status, headers } = answer as Record<string, unknown>;
    if (typeof request !== "string" || !/^[A-Z]+ https:\/\/\S+$/.test(request))
      fail(`answers[${index}].request`, 'must be like "GET https://api.example.com/path"');
    if (status !== undefined && !(Number.isInteger(status) && Number(status) >= 200 && Number(status) <= 599))
      fail(`answers[${index}].status`, "must be a status from 200 to 599");
    if (headers !== undefined && !isRecord(headers)) fail(`answers[${index}].headers`, "must be an object of texts");
  }
  if (endpoint !== undefined && (typeof endpoint !== "string" || !endpoint.startsWith("https://")))
    fail("endpoint", "must be an https URL");
  if (tokenLifetime !== undefined && !(typeof tokenLifetime === "number" && tokenLifetime >= 1))
    fail("tokenLifetime", "must be a number of seconds");
  return {
    answers: answers as readonly Answer[],
    ...(typeof endpoint === "string" ? { endpoint } : {}),
    ...(typeof tokenLifetime === "number" ? { tokenLifetime } : {}),
  };
}

/** The first answer whose pattern fits. */
export function findAnswer(answers: readonly Answer[], method: string, url: URL): Answer | undefined {
  return answers.find((answer) => {
    const [wanted = "", pattern = ""] = answer.request.split(" ", 2);
    if (wanted !== method) return false;
    const target = pattern.includes("?") ? url.href : `${url.origin}${url.pathname}`;
    const regex = pattern.split("*").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    return new RegExp(`^${regex.join(".*")}$`).test(target);
  });
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
