// User name and password, with the labels of uxConfig (auth-spec 5.3).
import { t } from "@vscode/l10n";
import { askSecret, type Flow } from "./flow.ts";

export const signInWithBasic: Flow = async (context) => {
  const { placeholderUsername, placeholderPassword, usernameOnly } = context.auth.uxConfig ?? {};
  const totalSteps = usernameOnly ? 1 : 2;
  const username = await askSecret(context, {
    prompt: placeholderUsername ?? t`User name`,
    placeholder: placeholderUsername ?? t`User name`,
    secret: usernameOnly === true,
    // RFC 7617, section 2: everything after the first colon would be taken for the password.
    check: (value) => (value.includes(":") ? t`A user name cannot contain a colon.` : undefined),
    step: 1,
    totalSteps,
  });
  if (username === undefined) return undefined;
  if (usernameOnly) return { credential: { kind: "basic", username, password: "" } };
  const password = await askSecret(context, {
    prompt: placeholderPassword ?? t`Password`,
    placeholder: placeholderPassword ?? t`Password`,
    optional: true,
    // Blanks at the ends of a password may be part of it.
    keepBlanks: true,
    step: 2,
    totalSteps,
  });
  return password === undefined ? undefined : { credential: { kind: "basic", username, password } };
};
