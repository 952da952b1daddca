import type { Proposal } from "../../../protocol/setup.ts";
import type { Operation } from "./api-description.ts";
import type { ServerAddress } from "./server-address.ts";

/** How the pack authenticates. */
export type Configuration = Pick<Proposal, "scope" | "type" | "typeOrigin" | "fields" | "remarks">;

/** What of the description a configuration depends on besides its way. */
export interface Surroundings {
  readonly server: ServerAddress;
  /** The operations that the way's requirements open. */
  readonly operations: readonly Operation[];
  /** Those that the proposal calls. */
  readonly callees: readonly Operation[];
}
