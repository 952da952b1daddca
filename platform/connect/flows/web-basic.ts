// User name and password, with the labels of uxConfig (auth-spec 5.3).
import { askSecrets, type Flow, type SecretQuestion } from "./flow.ts";

export const signInWithBasic: Flow = async (context) => {
  const { placeholderUsername, placeholderPassword, usernameOnly } = context.auth.uxConfig ?? {};
  const user: SecretQuestion = {
    prompt: placeholderUsername ?? "User name",
    placeholder: placeholderUsername ?? "User name",
    secret: usernameOnly === true,
    // RFC 7617, section 2: the password begins after the first colon.
    check: (value) => (value.includes(":") ? "A user name cannot contain a colon." : undefined),
  };
  const secret: SecretQuestion = {
    prompt: placeholderPassword ?? "Password",
    placeholder: placeholderPassword ?? "Password",
    optional: true,
    isPassword: true,
  };
  const secrets = await askSecrets(context, usernameOnly ? [user] : [user, secret]);
  if (secrets === undefined) return undefined;
  const [username = "", password = ""] = secrets;
  return { credential: { kind: "basic", username, password } };
};
