// AWSAccessKey asks for an access key pair. AWSAssumeRole asks for the role and a key pair that may assume it, because the platform's own
// keys are not available here.
import { flowKindOf } from "../../../spec/auth-types.ts";
import { askSecrets, type Flow, type SecretQuestion } from "./flow.ts";

const ROLE_ARN = /^arn:aws[a-z-]*:iam::\d{12}:role\/[\w+=,.@/-]{1,576}$/;

export const signInWithAws: Flow = async (context) => {
  const isRole = flowKindOf(context.auth.type) === "aws-role";
  const ofRole: readonly SecretQuestion[] = [
    {
      prompt: "The ARN of the role.",
      placeholder: "arn:aws:iam::123456789012:role/name",
      secret: false,
      check: (value) => (ROLE_ARN.test(value) ? undefined : "A role's ARN looks like arn:aws:iam::123456789012:role/name."),
    },
    { prompt: "The external ID, where the role asks for one.", placeholder: "External ID (optional)", optional: true },
  ];
  const ofKey: readonly SecretQuestion[] = [
    {
      prompt: isRole ? "The access key ID of a user that may assume the role." : "The access key ID.",
      placeholder: "Access key ID",
      secret: false,
    },
    { prompt: "The secret access key.", placeholder: "Secret access key" },
  ];
  const secrets = await askSecrets(context, isRole ? [...ofRole, ...ofKey] : ofKey);
  if (secrets === undefined) return undefined;
  const [accessKeyId = "", secretAccessKey = ""] = secrets.slice(-2);
  const [roleArn = "", externalId = ""] = secrets;
  const role = isRole ? { roleArn, ...(externalId === "" ? {} : { externalId }) } : {};
  return { credential: { kind: "aws", accessKeyId, secretAccessKey, ...role } };
};
