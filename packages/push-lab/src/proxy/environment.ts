/**
 * The environment in which a sender reaches the lab without a change to its code, in whatever language it is written:
 * which proxy to use, what to reach without it, and whom to trust.
 *
 * `SSL_CERT_FILE`, `REQUESTS_CA_BUNDLE` and `CURL_CA_BUNDLE` take the place of the certificates that OpenSSL, Python's
 * requests and curl trust otherwise, while `NODE_EXTRA_CA_CERTS` adds to what Node trusts. Behind this proxy that takes
 * nothing away, since whoever answers there is the lab. A sender that also speaks TLS to somebody on loopback, with a
 * certificate of the system's, is better off without these three.
 */
export function proxyEnvironment({
  url,
  caPath,
}: {
  url: string;
  caPath: string;
}): Readonly<Record<string, string>> {
  // Some look for the upper case, some for the lower. No http_proxy: a push goes over https.
  const noProxy = "localhost,127.0.0.1,::1";
  return {
    HTTPS_PROXY: url,
    https_proxy: url,
    NO_PROXY: noProxy,
    no_proxy: noProxy,
    // Node 24.5 and newer: its own fetch and https.request then use the proxy, too.
    NODE_USE_ENV_PROXY: "1",
    NODE_EXTRA_CA_CERTS: caPath,
    SSL_CERT_FILE: caPath,
    REQUESTS_CA_BUNDLE: caPath,
    CURL_CA_BUNDLE: caPath,
  };
}
