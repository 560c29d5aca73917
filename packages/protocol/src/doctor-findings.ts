/** What a doctor's finding means: `to-do`: an operator has something to do. `unknown`: the doctor could not look. */
export type DoctorState = "ok" | "to-do" | "unknown";

/** What the doctor looks at, in this order. */
export const doctorChecks = [
  "settings",
  "server",
  "database",
  "secret",
  "files",
  "disk",
  "clock",
  "public-url",
  "dns",
  "certificate",
  "proxy",
  "origin",
  "push-service",
] as const;
export type DoctorCheck = (typeof doctorChecks)[number];

type DoctorEntry = {
  check: DoctorCheck;
  state: DoctorState;
  /** What was found: a sentence in which `{subject}` and `{seen}` stand for what was looked at and what was seen. */
  title: string;
  /** What to do; empty if there is nothing to do, or if `{seen}` is a sentence that says it. */
  remedy: string;
};

/**
 * All that `sineta doctor` can find, by a code that never changes its meaning. docs/doctor.md is written from this file, and a
 * test keeps the two alike.
 */
export const doctorFindings = {
  "settings-good": { check: "settings", state: "ok", title: "No setting is in doubt.", remedy: "" },
  "setting-doubtful": { check: "settings", state: "to-do", title: "{seen}", remedy: "" },

  "server-runs": {
    check: "server",
    state: "ok",
    title: "The server at {subject} is ready. It is version {seen}.",
    remedy: "",
  },
  "server-answers": {
    check: "server",
    state: "ok",
    title: "A server at {subject} is ready.",
    remedy: "",
  },
  "server-stopped": {
    check: "server",
    state: "to-do",
    title: "No server runs on the data folder {subject}.",
    remedy: "Start it: `systemctl start sineta`, `podman start sineta` or `sineta serve`.",
  },
  "server-silent": {
    check: "server",
    state: "to-do",
    title: "A server runs on the data folder, but nothing answers at {subject} ({seen}).",
    remedy: "Give the command the same SINETA_HOST and SINETA_PORT as the server.",
  },
  "server-foreign": {
    check: "server",
    state: "to-do",
    title: "What answers at {subject} is not the server of this data folder ({seen}).",
    remedy:
      "Give the command the same settings as the server, and start the server again if it is older than the command.",
  },
  "server-not-ready": {
    check: "server",
    state: "to-do",
    title: "The server at {subject} is not ready (status {seen}).",
    remedy: "Read the server's log: it says why.",
  },
  "server-outdated": {
    check: "server",
    state: "to-do",
    title: "The running server is version {seen}, and version {subject} is installed.",
    remedy: "Start the server again.",
  },
  "server-older": {
    check: "server",
    state: "to-do",
    title: "A server of an earlier version runs on the data folder {subject}.",
    remedy: "Start the server again. It then brings the database to this version.",
  },
  "server-port-unknown": {
    check: "server",
    state: "unknown",
    title:
      "A server runs on the data folder, but SINETA_PORT is 0, so the doctor does not know its port.",
    remedy: "Set SINETA_PORT.",
  },
  "delivery-held": {
    check: "server",
    state: "to-do",
    title: "Delivery has been held since {seen} ({subject}).",
    remedy: "`sineta resume` lists what waits, asks, and resumes.",
  },

  "database-sound": {
    check: "database",
    state: "ok",
    title: "The database is whole, in {seen}.",
    remedy: "",
  },
  "database-opens": {
    check: "database",
    state: "ok",
    title:
      "The server reads and writes the database. `sineta doctor` on the machine also looks at each page of it.",
    remedy: "",
  },
  "database-old": {
    check: "database",
    state: "ok",
    title: "The next start of the server brings the database to this version.",
    remedy: "",
  },
  "database-damaged": {
    check: "database",
    state: "to-do",
    title: "The database {subject} is damaged: {seen}",
    remedy:
      "Stop the server, move {subject}, {subject}-wal and {subject}-shm away, and put a back-up there with `sineta restore FILE`.",
  },
  "database-unusable": { check: "database", state: "to-do", title: "{seen}", remedy: "" },
  "database-out-of-reach": {
    check: "database",
    state: "unknown",
    title: "{seen}",
    remedy: "Call the doctor as root or as the server's user.",
  },

  "secret-fits": {
    check: "secret",
    state: "ok",
    title: "The secret {seen} opens the keys in the database.",
    remedy: "",
  },
  "secret-unusable": { check: "secret", state: "to-do", title: "{seen}", remedy: "" },

  "files-private": {
    check: "files",
    state: "ok",
    title: "Only their owner can read the files of the data folder.",
    remedy: "",
  },
  "file-open": {
    check: "files",
    state: "to-do",
    title: "Other users of the machine can read {subject} (mode {seen}).",
    remedy: "Take that from them: `chmod go= {subject}`.",
  },
  "file-of-another": {
    check: "files",
    state: "to-do",
    title: "{subject} belongs to the user {seen}, and the database to another one.",
    remedy: "Give it to the owner of the database with `chown`.",
  },

  "disk-free": {
    check: "disk",
    state: "ok",
    title: "The disk of the data folder has {seen} left.",
    remedy: "",
  },
  "disk-low": {
    check: "disk",
    state: "to-do",
    title:
      "The disk of the data folder has {seen} left, which is less than SINETA_DISK_LOW_MIB ({subject}).",
    remedy: 'Make space, or keep less: see "Keeping only what is needed" in docs/operating.md.',
  },
  "disk-remote": {
    check: "disk",
    state: "to-do",
    title:
      "The data folder is on a network file system ({seen}), where SQLite's locks do not hold.",
    remedy: "Move the data folder to a local disk.",
  },

  "clock-right": {
    check: "clock",
    state: "ok",
    title: "The clock differs by {seen} from that of {subject}.",
    remedy: "",
  },
  "clock-fast": {
    check: "clock",
    state: "to-do",
    title: "The clock is {seen} ahead of that of {subject}.",
    remedy: "Let the machine set its clock by the network: `timedatectl set-ntp true`.",
  },
  "clock-slow": {
    check: "clock",
    state: "to-do",
    title: "The clock is {seen} behind that of {subject}.",
    remedy: "Let the machine set its clock by the network: `timedatectl set-ntp true`.",
  },
  "clock-unknown": {
    check: "clock",
    state: "unknown",
    title: "No push service answered, so there is no clock to compare with.",
    remedy: "",
  },

  "public-url-reached": {
    check: "public-url",
    state: "ok",
    title: "The server answers at {subject}.",
    remedy: "",
  },
  "public-url-local": {
    check: "public-url",
    state: "ok",
    title:
      "SINETA_PUBLIC_URL is not set, so the server runs for development, on this machine alone.",
    remedy: "",
  },
  "public-url-missing": {
    check: "public-url",
    state: "to-do",
    title: "SINETA_PUBLIC_URL is not set, so invitations and pictures lead to {subject}.",
    remedy: "Set SINETA_PUBLIC_URL to the address at which people reach Sineta.",
  },
  "public-url-insecure": {
    check: "public-url",
    state: "to-do",
    title: "{subject} is not https, so browsers show no bell there.",
    remedy: "Put a proxy with https in front, and set SINETA_PUBLIC_URL to its https address.",
  },
  "public-url-silent": {
    check: "public-url",
    state: "to-do",
    title: "Nothing answers at {subject} ({seen}).",
    remedy: "See that the proxy runs, and at which addresses and ports it listens.",
  },
  "public-url-unreachable": {
    check: "public-url",
    state: "unknown",
    title: "This machine gets no answer from {subject} ({seen}).",
    remedy:
      "Ask for the address from another network. If visitors get no answer either, see that the proxy runs and that the firewall lets them through.",
  },
  "public-url-partly": {
    check: "public-url",
    state: "to-do",
    title: "At {subject}, the proxy does not hand {seen} to the server.",
    remedy:
      'Let it hand on all paths of Sineta: see "Behind a reverse proxy" in docs/operating.md.',
  },
  "public-url-redirects": {
    check: "public-url",
    state: "to-do",
    title: "{subject} redirects to {seen}.",
    remedy: "Set SINETA_PUBLIC_URL to the address where it ends, or take the redirect away.",
  },
  "public-url-foreign": {
    check: "public-url",
    state: "to-do",
    title: "What answers at {subject} is not this server ({seen}).",
    remedy:
      'Let the proxy hand the paths of Sineta to SINETA_HOST and SINETA_PORT: see "Behind a reverse proxy" in docs/operating.md.',
  },
  "public-url-not-asked": {
    check: "public-url",
    state: "unknown",
    title: "The doctor cannot tell whether this server answers at {subject}.",
    remedy: "Do what the other findings say, then call the doctor again.",
  },

  "name-resolves": { check: "dns", state: "ok", title: "{subject} leads to {seen}.", remedy: "" },
  "name-unknown": {
    check: "dns",
    state: "to-do",
    title: "No name server knows {subject} ({seen}).",
    remedy: "Let the name lead to the public address of the machine, by a record A or AAAA.",
  },
  "name-private": {
    check: "dns",
    state: "ok",
    title: "{subject} leads to {seen}. Only visitors in the same private network reach it.",
    remedy: "",
  },
  "name-local": {
    check: "dns",
    state: "unknown",
    title:
      "On this machine {subject} leads to {seen}, so the doctor does not see where it leads visitors.",
    remedy: "Ask for the name on another machine: `getent ahosts {subject}`.",
  },
  "address-dead": {
    check: "dns",
    state: "to-do",
    title: "{subject} also leads to {seen}, where nothing answers.",
    remedy: "Take the record away, or let the proxy listen there.",
  },

  "certificate-valid": {
    check: "certificate",
    state: "ok",
    title: "The certificate of {subject} is valid until {seen}.",
    remedy: "",
  },
  "certificate-ends-soon": {
    check: "certificate",
    state: "to-do",
    title: "The certificate of {subject} ends soon: {seen}.",
    remedy: "Renew it, and see why it was not renewed by itself.",
  },
  "certificate-ended": {
    check: "certificate",
    state: "to-do",
    title: "The certificate of {subject} has ended: {seen}.",
    remedy: "Renew it. Where Sineta serves https itself, start the server again.",
  },
  "certificate-elsewhere": {
    check: "certificate",
    state: "to-do",
    title: "The certificate that {subject} shows is for {seen}.",
    remedy: "Get a certificate for the host of SINETA_PUBLIC_URL.",
  },
  "certificate-incomplete": {
    check: "certificate",
    state: "to-do",
    title: "{subject} does not show the certificate of the authority that signed its own ({seen}).",
    remedy:
      "Name the file with the whole chain, such as `fullchain.pem`. If you run the authority yourself, name its certificate in NODE_EXTRA_CA_CERTS.",
  },
  "certificate-untrusted": {
    check: "certificate",
    state: "to-do",
    title: "Browsers do not trust the certificate of {subject} ({seen}).",
    remedy:
      "Get one from a public authority, such as Let's Encrypt. If you run the authority yourself, name its certificate in NODE_EXTRA_CA_CERTS.",
  },
  "certificate-not-loaded": {
    check: "certificate",
    state: "to-do",
    title: "The server still shows another certificate than the one in SINETA_TLS_CERT.",
    remedy: "Start the server again.",
  },

  "proxy-right": {
    check: "proxy",
    state: "ok",
    title: "Requests to {subject} arrive whole, and the server takes this machine for {seen}.",
    remedy: "",
  },
  "proxy-unnamed": {
    check: "proxy",
    state: "to-do",
    title:
      "Requests come through a proxy at {seen} that SINETA_TRUSTED_PROXIES does not name, so the server cannot tell visitors apart.",
    remedy: "Add {seen} to SINETA_TRUSTED_PROXIES, and start the server again.",
  },
  "proxy-hides-visitors": {
    check: "proxy",
    state: "to-do",
    title:
      "The proxy at {seen} sends no X-Forwarded-For, so the server takes all visitors for one.",
    remedy: "Let the proxy set it: in nginx, `proxy_set_header X-Forwarded-For $remote_addr;`.",
  },
  "proxy-believes-visitors": {
    check: "proxy",
    state: "to-do",
    title:
      "The proxy hands on the X-Forwarded-For that a visitor writes, so a visitor can take any address.",
    remedy: "Let the proxy replace it: in nginx, `proxy_set_header X-Forwarded-For $remote_addr;`.",
  },
  "proxy-drops-headers": {
    check: "proxy",
    state: "to-do",
    title: "The proxy removes headers of a request: {seen}.",
    remedy: "Let the proxy hand on all headers.",
  },
  "proxy-changes-host": {
    check: "proxy",
    state: "to-do",
    title: "The proxy sends the host {seen} to the server, and a visitor asks for {subject}.",
    remedy: "Let the proxy hand the host on: in nginx, `proxy_set_header Host $http_host;`.",
  },
  "proxy-refuses-bodies": {
    check: "proxy",
    state: "to-do",
    title: "The proxy refuses a body of 300 kB, as a picture has it (status {seen}).",
    remedy: "Allow it: in nginx, `client_max_body_size 1m;`.",
  },

  "origins-own": {
    check: "origin",
    state: "ok",
    title: "Only Sineta's own pages may register.",
    remedy: "",
  },
  "origin-good": {
    check: "origin",
    state: "ok",
    title: "{subject} has all that the bell needs.",
    remedy: "",
  },
  "origin-lacks": {
    check: "origin",
    state: "to-do",
    title: "{subject} lacks something for the bell to work: {seen}.",
    remedy: 'Check the page under "Instalar o sino" in the console, which says what to do.',
  },
  "origins-more": {
    check: "origin",
    state: "unknown",
    title: "The doctor did not look at {seen} more origins.",
    remedy: 'Check their pages under "Instalar o sino" in the console.',
  },
  "origin-local": {
    check: "origin",
    state: "unknown",
    title:
      "On this machine {subject} leads to an address that is not public, so the doctor does not look at the page.",
    remedy:
      "Open the page on another machine. If `/etc/hosts` has its name here, take the name out and call the doctor again.",
  },
  "origin-silent": {
    check: "origin",
    state: "to-do",
    title: "The doctor cannot read the page {subject} ({seen}).",
    remedy:
      "See that it is there. If it is gone for good, take it off the list with `sineta settings origins` or in SINETA_ORIGINS.",
  },

  "push-service-reached": {
    check: "push-service",
    state: "ok",
    title: "{subject} answers.",
    remedy: "",
  },
  "push-service-name-unknown": {
    check: "push-service",
    state: "to-do",
    title: "No name server knows {subject} ({seen}).",
    remedy: "See that the machine's name servers answer: `getent hosts {subject}`.",
  },
  "push-service-silent": {
    check: "push-service",
    state: "to-do",
    title: "{subject} cannot be reached ({seen}).",
    remedy:
      "Let the firewall allow connections to it on port 443, and see that the machine's name servers answer.",
  },
  "push-service-untrusted": {
    check: "push-service",
    state: "to-do",
    title: "The certificate at {subject} is not the push service's ({seen}).",
    remedy:
      "Something between looks into the connections: make an exception for {subject}, or name its authority in NODE_EXTRA_CA_CERTS. If the certificate's time is over or has not come, set the clock.",
  },
  "push-service-elsewhere": {
    check: "push-service",
    state: "to-do",
    title: "{subject} leads to an address that is not public ({seen}).",
    remedy: "See that the machine's name servers do not block it.",
  },
  "push-service-held": {
    check: "push-service",
    state: "to-do",
    title: "Pushes to {subject} are held back: {seen}.",
    remedy: "`sineta status` says what the push service answered, and what to do.",
  },
} as const satisfies Record<string, DoctorEntry>;

export type DoctorCode = keyof typeof doctorFindings;
