// User name and password, with the labels of uxConfig (auth-spec 5.3).
import { askSecret, type Flow } from "./flow.ts";

export const signInWithBasic: Flow = async (context) => {
  if (context.sandbox?.credential) return { credential: context.sandbox.credential };
  const { placeholderUsername, placeholderPassword, usernameOnly } = context.auth.uxConfig ?? {};
  const totalSteps = usernameOnly ? 1 : 2;
  const username = await askSecret(context, {
    prompt: placeholderUsername ?? "User name",
    placeholder: placeholderUsername ?? "User name",
    secret: usernameOnly === true,
    step: 1,
    totalSteps,
  });
  if (username === undefined) return undefined;
  if (usernameOnly) return { credential: { kind: "basic", username, password: "" } };
  const password = await askSecret(context, {
    prompt: placeholderPassword ?? "Password",
    placeholder: placeholderPassword ?? "Password",
    optional: true,
    step: 2,
    totalSteps,
  });
  return password === undefined ? undefined : { credential: { kind: "basic", username, password } };
};
