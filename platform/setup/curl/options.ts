// The options of curl (version 8), and what each means for a request of a pack. An option that is not listed is never ignored: it is named.

/** What an option does, or why it is not read. */
export type Effect =
  | "method"
  | "url"
  | "query"
  | "header"
  | "data"
  | "raw data"
  | "encoded data"
  | "json"
  | "form"
  | "form text"
  | "get"
  | "head"
  | "upload"
  | "cookie"
  | "user"
  | "bearer"
  | "aws"
  | "basic"
  | "any scheme"
  | "digest"
  | "negotiate"
  | "client certificate"
  | "referer"
  | "user agent"
  | "range"
  /** The account or more options are in a file, which is not read. */
  | "file"
  /** The connection differs: a remark says that the platform makes its own. */
  | "connection"
  /** It changes nothing of the request itself, but what curl does with the response, its limits and its output. */
  | "none"
  /** Two requests in one command. */
  | "next"
  /** It is for another protocol, or it asks curl for help. */
  | "no request";

/**
 * By effect, the short name (one character) and the long name of each option; `=` after the name if an argument follows. From the manual of
 * curl 8.16 and the output of `curl --help all`.
 */
const NAMES: Readonly<Record<Effect, readonly string[]>> = {
  method: "X,request=".split(" "),
  url: "url=".split(" "),
  query: "url-query=".split(" "),
  header: "H,header=".split(" "),
  data: "d,data= data-ascii= data-binary=".split(" "),
  "raw data": "data-raw=".split(" "),
  "encoded data": "data-urlencode=".split(" "),
  json: "json=".split(" "),
  form: "F,form=".split(" "),
  "form text": "form-string=".split(" "),
  get: "G,get".split(" "),
  head: "I,head".split(" "),
  upload: "T,upload-file=".split(" "),
  cookie: "b,cookie=".split(" "),
  user: "u,user=".split(" "),
  bearer: "oauth2-bearer=".split(" "),
  aws: "aws-sigv4=".split(" "),
  basic: "basic".split(" "),
  "any scheme": "anyauth".split(" "),
  digest: "digest".split(" "),
  negotiate: "negotiate ntlm ntlm-wb".split(" "),
  "client certificate": "E,cert= key= pass= cert-type= key-type= tlsauthtype= tlspassword= tlsuser= ssl-auto-client-cert engine=".split(
    " ",
  ),
  referer: "e,referer=".split(" "),
  "user agent": "A,user-agent=".split(" "),
  range: "r,range=".split(" "),
  file: "K,config= n,netrc netrc-file= netrc-optional".split(" "),
  connection: (
    "k,insecure x,proxy= U,proxy-user= preproxy= proxy1.0= p,proxytunnel proxy-anyauth proxy-basic proxy-ca-native proxy-cacert= " +
    "proxy-capath= proxy-cert= proxy-cert-type= proxy-ciphers= proxy-crlfile= proxy-digest proxy-header= proxy-http2 proxy-insecure " +
    "proxy-key= proxy-key-type= proxy-negotiate proxy-ntlm proxy-pass= proxy-pinnedpubkey= proxy-service-name= proxy-ssl-allow-beast " +
    "proxy-ssl-auto-client-cert proxy-tls13-ciphers= proxy-tlsauthtype= proxy-tlspassword= proxy-tlsuser= proxy-tlsv1 socks4= socks4a= " +
    "socks5= socks5-basic socks5-gssapi socks5-gssapi-nec socks5-gssapi-service= socks5-hostname= resolve= connect-to= unix-socket= " +
    "abstract-unix-socket= request-target= haproxy-protocol haproxy-clientip= ipfs-gateway="
  ).split(" "),
  none: (
    "alt-svc= ca-native cacert= capath= cert-status ciphers= compressed compressed-ssh connect-timeout= C,continue-at= c,cookie-jar= " +
    "create-dirs create-file-mode= crlf crlfile= curves= delegation= q,disable disallow-username-in-url dns-interface= dns-ipv4-addr= " +
    "dns-ipv6-addr= dns-servers= doh-cert-status doh-insecure doh-url= dump-ca-embed D,dump-header= ech= egd-file= etag-compare= " +
    "etag-save= expect100-timeout= f,fail fail-early fail-with-body false-start follow form-escape g,globoff happy-eyeballs-timeout-ms= " +
    "hsts= http0.9 0,http1.0 http1.1 http2 http2-prior-knowledge http3 http3-only ignore-content-length i,include interface= ip-tos= " +
    "4,ipv4 6,ipv6 j,junk-session-cookies keepalive keepalive-cnt= keepalive-time= libcurl= limit-rate= local-port= L,location " +
    "location-trusted max-filesize= max-redirs= m,max-time= metalink mptcp alpn N,no-buffer buffer clobber npn progress-meter " +
    "sessionid noproxy= out-null o,output= output-dir= Z,parallel parallel-immediate " +
    "parallel-max= parallel-max-host= path-as-is pinnedpubkey= post301 post302 post303 #,progress-bar proto= proto-default= proto-redir= " +
    "random-file= rate= raw J,remote-header-name O,remote-name remote-name-all R,remote-time remove-on-error retry= retry-all-errors " +
    "retry-connrefused retry-delay= retry-max-time= service-name= S,show-error sigalgs= s,silent skip-existing Y,speed-limit= " +
    "y,speed-time= ssl-allow-beast ssl-no-revoke ssl-revoke-best-effort ssl-sessions= 2,sslv2 3,sslv3 stderr= styled-output " +
    "suppress-connect-headers tcp-fastopen tcp-nodelay z,time-cond= tls-earlydata tls-max= tls13-ciphers= 1,tlsv1 tlsv1.0 tlsv1.1 tlsv1.2 " +
    "tlsv1.3 tr-encoding trace= trace-ascii= trace-config= trace-ids trace-time v,verbose vlan-priority= w,write-out= xattr"
  ).split(" "),
  next: ":,next".split(" "),
  "no request": (
    "a,append disable-eprt disable-epsv eprt epsv ftp-account= ftp-alternative-to-user= ftp-create-dirs ftp-method= ftp-pasv P,ftp-port= " +
    "ftp-pret ftp-skip-pasv-ip ftp-ssl-ccc ftp-ssl-ccc-mode= ftp-ssl-control h,help hostpubmd5= hostpubsha256= knownhosts= krb= " +
    "l,list-only login-options= mail-auth= mail-from= mail-rcpt= mail-rcpt-allowfails M,manual pubkey= Q,quote= sasl-authzid= sasl-ir " +
    "ssl ssl-reqd t,telnet-option= tftp-blksize= tftp-no-options upload-flags= B,use-ascii V,version variable="
  ).split(" "),
};

export interface Option {
  readonly effect: Effect;
  readonly hasArgument: boolean;
  /** The name as it is shown: `--header`. */
  readonly name: string;
}

/** By name, with its dashes: `-H` and `--header`. */
export const OPTIONS: ReadonlyMap<string, Option> = new Map(
  (Object.keys(NAMES) as readonly Effect[]).flatMap((effect) =>
    NAMES[effect].flatMap((text) => {
      const [name = "", short] = text.replace("=", "").split(",").reverse();
      const option: Option = { effect, hasArgument: text.endsWith("="), name: `--${name}` };
      return [[`--${name}`, option] as const, ...(short === undefined ? [] : [[`-${short}`, option] as const])];
    }),
  ),
);
