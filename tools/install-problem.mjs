// What the words of npm mean for whoever started Bey. Plain JavaScript: runs before anything is installed.

/** From the certain to the vague; the first that fits is meant. Each says what is wrong and what to do. */
const problems = [
  [
    /\bENOSPC\b|no space left on device/i,
    'The disk is full. Free 1 GB or more, or move this folder to a larger disk.',
  ],
  [/\bEDQUOT\b/, 'Your disk quota is used up. Free 1 GB or more.'],
  [/\bEROFS\b/, 'This folder is on a read-only file system. Copy it to a place where files can be written.'],
  [
    /\bEACCES\b|\bEPERM\b/,
    'Files in this folder or in the cache of npm belong to another user. Make them yours (sudo chown -R "$(id -u)" . ~/.npm), or clone Bey into a folder of your own.',
  ],
  [
    /\b407\b|Proxy Authentication Required/i,
    'The proxy asks for a login. Set it with: npm config set https-proxy http://USER:PASSWORD@PROXY:PORT',
  ],
  [
    /SELF_SIGNED_CERT|UNABLE_TO_(GET_ISSUER_CERT|VERIFY_LEAF)|DEPTH_ZERO_SELF_SIGNED|self[- ]signed certificate|CERT_UNTRUSTED/i,
    'The connection is signed by an authority that Node does not know, as proxies of companies do. Name its certificate: export NODE_EXTRA_CA_CERTS=/path/to/ca.pem',
  ],
  [
    /CERT_HAS_EXPIRED|CERT_NOT_YET_VALID/,
    'The certificate of the package registry is not valid today. Check the clock of this machine with: date',
  ],
  [
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|network (request|connectivity)/,
    'The package registry cannot be reached. Check the network. Behind a proxy, set it with: npm config set https-proxy http://PROXY:PORT',
  ],
  [
    /\bE40[13]\b|\b40[13] (Unauthorized|Forbidden)/,
    'The package registry refuses this machine. Check the registry and its token with: npm config list',
  ],
  [
    /\bE404\b|404 Not Found|ETARGET/,
    'The package registry lacks a version that Bey needs. Check which registry npm uses with: npm config get registry',
  ],
  [
    /EINTEGRITY/,
    'A package is not the one that Bey was tested with. Empty the cache with: npm cache clean --force',
  ],
  [/EBADENGINE|Unsupported engine/, 'This npm is too old. Update it with: npm install --global npm@11'],
  [
    /gyp ERR|node-pre-gyp/,
    'A package found no ready-made build for this machine. Bey runs on Linux and macOS, x64 and arm64.',
  ],
]

/** One sentence on why `npm ci` failed and what to do, or undefined where its own words must do. */
export function installProblem(output) {
  return problems.find(([pattern]) => pattern.test(output))?.[1]
}
