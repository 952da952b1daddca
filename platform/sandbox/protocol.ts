// The protocol between the host and the sandbox process: JSON to one control address on loopback, guarded by a random token.
import type { PackDefinition } from "../../protocol/definition.ts";
import type { ClientCredentials, Credential } from "../secrets/credential.ts";
import type { Stub } from "./stubs.ts";
import type { SandboxSwitches } from "./switches.ts";

/** `POST <control>/packs`. */
export interface RegisterRequest {
  readonly entry: string;
  readonly name: string;
  readonly definition: PackDefinition;
  /** Absolute path of sandbox.json, whether or not it exists. */
  readonly stubsFile?: string;
}

/** `POST <control>/switches`: changes the given switches and returns all switches. */
export interface SwitchRequest {
  readonly entry: string;
  readonly switches: Partial<SandboxSwitches>;
  /** Expires all access tokens of the pack's accounts. Refresh tokens stay valid. */
  readonly expireNow?: boolean;
  /** Revokes the refresh tokens, or marks them as used, as if a client had used them and lost the response. */
  readonly refreshTokens?: "revoked" | "used";
}

/** `POST <control>/samples`: adds answers for requests that sandbox.json does not have. They are kept until the sandbox ends. */
export interface SampleRequest {
  readonly entry: string;
  readonly samples: readonly Stub[];
}

/** `POST <control>/addresses`: adds addresses under which a browser reaches this machine, in a remote or web window of the editor. */
export interface AddressRequest {
  readonly entry: string;
  /** The pack's server as the browser sees it, and the redirect address of the sign-in. */
  readonly addresses: readonly string[];
}

/** The credentials of a pack in the sandbox, for one of its authentications. */
export interface SandboxCredentials {
  readonly clientCredentials: ClientCredentials;
  /** The credential that the API accepts, for types without a browser. */
  readonly credential?: Credential;
  readonly endpoint?: string;
  /** The revocation endpoint for OAuth tokens (RFC 7009). It is an address of the sandbox itself, not a logical one. */
  readonly revocationUrl?: string;
}

export interface RegisterResponse {
  /** `http://127.0.0.1:<port>`, also for pages in the browser: not every browser resolves names below `localhost` to this machine. */
  readonly origin: string;
  readonly switches: SandboxSwitches;
  readonly user?: SandboxCredentials;
  readonly system?: SandboxCredentials;
}
