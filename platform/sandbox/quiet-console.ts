// Silences the notices of oidc-provider on its development defaults and on Node 20, which do not concern the author. This module is
// imported before oidc-provider. Errors still go to console.error.
console.info = console.warn = () => {};
