// AWSAccessKey: an access key pair. AWSAssumeRole: the role, and a key pair that may assume it, since there is no platform here that
// could do it with its own.
import { t } from "@vscode/l10n";
import { flowKindOf } from "../../../spec/auth-types.ts";
import { askSecret, type Flow } from "./flow.ts";

const ROLE_ARN = /^arn:aws[a-z-]*:iam::\d{12}:role\/[\w+=,.@/-]{1,576}$/;

export const signInWithAws: Flow = async (context) => {
  const isRole = flowKindOf(context.auth.type) === "aws-role";
  const totalSteps = isRole ? 4 : 2;
  let step = 0;
  const ask = (question: Omit<Parameters<typeof askSecret>[1], "step" | "totalSteps">): Promise<string | undefined> =>
    askSecret(context, { ...question, step: ++step, totalSteps });

  let role: { readonly roleArn: string; readonly externalId?: string } | undefined;
  if (isRole) {
    const roleArn = await ask({
      prompt: t`The ARN of the role.`,
      placeholder: "arn:aws:iam::123456789012:role/name",
      secret: false,
      check: (value) => (ROLE_ARN.test(value) ? undefined : t`A role's ARN looks like arn:aws:iam::123456789012:role/name.`),
    });
    if (roleArn === undefined) return undefined;
    const externalId = await ask({
      prompt: t`The external ID, where the role asks for one.`,
      placeholder: t`External ID (optional)`,
      optional: true,
    });
    if (externalId === undefined) return undefined;
    role = { roleArn, ...(externalId === "" ? {} : { externalId }) };
  }
  const accessKeyId = await ask({
    prompt: isRole ? t`The access key ID of a user that may assume the role.` : t`The access key ID.`,
    placeholder: t`Access key ID`,
    secret: false,
  });
  if (accessKeyId === undefined) return undefined;
  const secretAccessKey = await ask({ prompt: t`The secret access key.`, placeholder: t`Secret access key` });
  if (secretAccessKey === undefined) return undefined;
  return { credential: { kind: "aws", accessKeyId, secretAccessKey, ...role } };
};
