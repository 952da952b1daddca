// oidc-provider tells of its development defaults, and of Node 20, on the console while it loads: none of that is for the author.
// Imported before it; faults still go to console.error.
console.info = console.warn = () => {};
