// Loaded before every test: allows connections only to loopback addresses and pipes, so that no test depends on the network.
import dns from "node:dns";
import net from "node:net";

const isLoopback = (host: string | undefined): boolean =>
  host === undefined || host === "localhost" || host.endsWith(".localhost") || host === "::1" || /^127\./.test(host);

const connect = net.Socket.prototype.connect;
net.Socket.prototype.connect = function (this: net.Socket, ...args: unknown[]) {
  const first = args[0] as { path?: string; host?: string } | unknown[] | undefined;
  const options = (Array.isArray(first) ? first[0] : first) as { path?: string; host?: string } | undefined;
  if (options !== null && typeof options === "object" && options.path === undefined && !isLoopback(options.host)) {
    throw Object.assign(new Error(`a test tried to reach ${options.host}`), { code: "ECLOSED" });
  }
  return (connect as (...all: unknown[]) => net.Socket).apply(this, args);
} as typeof connect;

const lookup = dns.promises.lookup;
dns.promises.lookup = ((host: string, ...rest: never[]) =>
  isLoopback(host)
    ? (lookup as (...all: unknown[]) => unknown)(host, ...rest)
    : Promise.reject(Object.assign(new Error(`a test looked ${host} up`), { code: "ENOTFOUND" }))) as typeof lookup;
