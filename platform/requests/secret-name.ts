// One list for headers and parameters: what a redirect takes to another origin, and what people see of an address.
const SECRET_NAME = /auth|^code$|cookie|credential|jwt|key|password|policy|secret|session|sig|ticket|token/i;

/** Whether headers and parameters of this name hold secrets that nobody here knows of. */
export const isSecretName = (name: string): boolean => SECRET_NAME.test(name);
