import { CONFIGURATION_FIELDS, type FieldName } from "../../../spec/configuration-fields.ts";
import { fieldPlace } from "../configuration/observation.ts";
import { oauth2, observationRule, user } from "../rule.ts";

export default observationRule({
  id: "seen-published-sign-in",
  severity: "warning",
  docs: `Users of the published pack cannot sign in.

The platform's logs showed this. The message names the version of the pack, the day since when, and the number of connections. It also names the field to look at, if the error blames one. Correct the configuration, or the application at the provider, and upload the pack. The finding disappears once its fields change, or once the logs show a sign-in of this version that worked.`,
  examples: [
    {
      bad: oauth2`«scopes»: ["read", "wrote"],`,
      evidence: { code: "published-sign-in-fails", names: ["1.4.0", "2026-11-20", "3", "scopes-refused", "scopes"] },
    },
    { bad: oauth2`«type»`, evidence: { code: "published-sign-in-fails", names: ["7", "2026-11-20", "1", "client-refused"] } },
    {
      bad: user`«type: coda.AuthenticationType.HeaderBearerToken»,`,
      evidence: { code: "published-sign-in-fails", names: ["7", "2026-11-20", "2"] },
    },
    { good: oauth2`` },
  ],
  reports: {
    *"published-sign-in-fails"(_pack, auth, [version, since, connections, diagnosis, field]) {
      if (version === undefined || since === undefined || connections === undefined) return;
      const named = field !== undefined && isField(field) ? field : undefined;
      const advice =
        diagnosis === undefined
          ? "Read the logs of the published pack."
          : `Look at ${named ?? "the application at the provider"}: ${diagnosis}.`;
      yield {
        place: fieldPlace(auth, named ?? "type"),
        message: `${advice} The sign-in of version ${version} has failed since ${since}, for ${connections} ${connections === "1" ? "connection" : "connections"}.`,
      };
    },
  },
});

const isField = (name: string): name is FieldName => Object.hasOwn(CONFIGURATION_FIELDS, name);
