// Host ↔ sandbox process: one control address on loopback, guarded by a random token; JSON.
import type { PackDefinition } from "../../protocol/definition.ts";
import type { ClientCredentials, Credential } from "../secrets/credential.ts";
import type { Stub } from "./answers.ts";
import type { SandboxSwitches } from "./switches.ts";

/** `POST <control>/packs`. */
export interface RegisterRequest {
  readonly entry: string;
  readonly name: string;
  readonly definition: PackDefinition;
  /** Absolute path of sandbox.json, whether or not it exists. */
  readonly stubsFile?: string;
}

/** `POST <control>/switches`: changes what is named, and gives all of them. */
export interface SwitchRequest {
  readonly entry: string;
  readonly switches: Partial<SandboxSwitches>;
  /** Every token that the pack's accounts hold counts no more from now on; what can be refreshed can still be. */
  readonly expireNow?: boolean;
  /** The refresh tokens are taken back, or were used by somebody whose answer was lost. */
  readonly refreshTokens?: "revoked" | "used";
}

/** `POST <control>/samples`: answers for requests that sandbox.json does not name. They last as long as the sandbox. */
export interface SampleRequest {
  readonly entry: string;
  readonly samples: readonly Stub[];
}

/** What a pack has in the sandbox, for one of its setters. */
export interface SandboxCredentials {
  readonly clientCredentials: ClientCredentials;
  /** What the API accepts, for types without a browser. */
  readonly credential?: Credential;
  readonly endpoint?: string;
  /** Of OAuth tokens (RFC 7009): an address of the sandbox itself, not a logical one. */
  readonly revocationUrl?: string;
}

export interface RegisterResponse {
  /** `http://127.0.0.1:<port>`, for pages in the browser too: not every browser takes a name below `localhost` for this machine. */
  readonly origin: string;
  readonly switches: SandboxSwitches;
  readonly user?: SandboxCredentials;
  readonly system?: SandboxCredentials;
}
