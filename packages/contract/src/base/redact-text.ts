import { isSecretName, secretWord } from '../secrets/names.ts'

export const redacted = '[redacted]'

const secretName = `[\\w-]{0,40}?${secretWord}[\\w-]{0,40}`

type Replacement = string | ((match: string, ...groups: string[]) => string)

// What is looked through may be written by an attacker: the work of each pattern grows with the text, not its square.
const patterns: readonly [RegExp, string][] = [
  // Our own tokens, whatever their prefix.
  [/\bbey_[a-z]+_[A-Za-z0-9_-]{16,}/g, redacted],
  [/\b(bearer|basic)(\s+)[A-Za-z0-9._~+/=-]{8,}/gi, `$1$2${redacted}`],
  // User and password of any address.
  [/\b([a-z][a-z0-9+.-]{0,20}:\/\/)[^\s/@:"]*:[^\s/@"]+@/gi, `$1${redacted}@`],
  // Not over the beginning of another one, so that beginnings without an end are not looked through to the end each.
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----(?:(?!-----BEGIN)[^])*?-----END [A-Z ]*PRIVATE KEY-----/g, redacted],
  // JSON Web Tokens. A run of such signs is looked at once, from its start: whether it has three parts at all.
  [
    /(?<![A-Za-z0-9_-])(?=[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-])([A-Za-z0-9_-]*?)\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+/g,
    `$1${redacted}`,
  ],
]

const namedPatterns: readonly [RegExp, Replacement][] = [
  // Certificates and keys of a kubeconfig, and whatever is cut off of a PEM block.
  [
    /\b((?:client|certificate-authority)[-a-z]{0,40}-data["']?\s*[:=]\s*["']?)[A-Za-z0-9+/=_-]+/gi,
    `$1${redacted}`,
  ],
  [/-----BEGIN [A-Z ]+-----[^]*?(?:-----END [A-Z ]+-----|$)/g, redacted],
  // `password=…`, `"token": "…"`, `api_key: …`, and the same within an address.
  [
    new RegExp(
      `(["']?)\\b(${secretName})(["']?\\s*[=:]\\s*)(?!\\[redacted\\])("(?:[^"\\\\]|\\\\.)*"|'[^']*'|[^\\s&,;"')}\\]]+)`,
      'gi',
    ),
    (match, quote = '', name = '', sign = '') =>
      isSecretName(name) ? `${quote}${name}${sign}${redacted}` : match,
  ],
  // What OAuth and links for one use carry.
  [/([?&#](?:code|state|sig|key|auth|ticket|otp)=)[^&\s#"')]+/gi, `$1${redacted}`],
]

/** Removes what looks like a credential by itself: tokens, keys, passwords within addresses. */
export function redactText(text: string): string {
  return replaceAll(text, patterns)
}

/** Removes also what stands beside a telling name, as in `password=…`; for texts that people did not write to be read. */
export function redactNamedText(text: string): string {
  return replaceAll(redactText(text), namedPatterns)
}

function replaceAll(text: string, all: readonly [RegExp, Replacement][]): string {
  let result = text
  for (const [pattern, replacement] of all) result = replaced(result, pattern, replacement)
  return result
}

/** The two kinds of replacement are two signatures. */
function replaced(text: string, pattern: RegExp, replacement: Replacement): string {
  return typeof replacement === 'string'
    ? text.replace(pattern, replacement)
    : text.replace(pattern, replacement)
}
