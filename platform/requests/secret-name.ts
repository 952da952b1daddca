// One pattern for headers and parameters: it decides what a redirect sends to another origin, and what people see of an address.
const SECRET_NAME = /auth|^code$|cookie|credential|jwt|key|password|policy|secret|session|sig|ticket|token/i;

/** Returns whether a header or parameter of this name may contain a secret that no redactor knows. */
export const isSecretName = (name: string): boolean => SECRET_NAME.test(name);
