// Makes this process trust a certificate authority, as NODE_EXTRA_CA_CERTS does for a process that starts with it.
import tls from "node:tls";

/** Returns a function that ends the trust. */
export function trustAuthority(certificate: string): () => void {
  const { createSecureContext } = tls;
  tls.createSecureContext = (options) => {
    const secure = createSecureContext(options);
    if (options?.ca === undefined) (secure.context as { addCACert(certificate: string): void }).addCACert(certificate);
    return secure;
  };
  return () => {
    tls.createSecureContext = createSecureContext;
  };
}
