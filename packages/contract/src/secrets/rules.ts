/** Rules about secrets that both the console and the server keep. */

export const secretTypes = [
  'opaque',
  'password',
  'api_key',
  'certificate',
  'ssh_key',
  'registry',
  'kubeconfig',
  'database',
] as const
export type SecretType = (typeof secretTypes)[number]

/** One part of a value that has several, such as the user and the password of a database. */
export type SecretField = {
  name: string
  label: string
  /** Left empty it is not stored. */
  isOptional?: true
  /** Several lines: keys, certificates, files. */
  isLong?: true
  /** May be shown to everybody who sees the secret: it opens nothing by itself. */
  isPublic?: true
}

/** What a value of each type consists of. A type without fields has one text as its value. */
export const secretFields: Record<SecretType, readonly SecretField[]> = {
  opaque: [],
  password: [],
  api_key: [],
  certificate: [
    { name: 'certificate', label: 'Certificate and chain (PEM)', isLong: true, isPublic: true },
    { name: 'privateKey', label: 'Private key (PEM)', isLong: true },
  ],
  ssh_key: [
    { name: 'privateKey', label: 'Private key', isLong: true },
    { name: 'publicKey', label: 'Public key', isLong: true, isOptional: true, isPublic: true },
  ],
  registry: [
    { name: 'server', label: 'Server', isPublic: true },
    { name: 'username', label: 'User name', isPublic: true },
    { name: 'password', label: 'Password or token' },
  ],
  kubeconfig: [],
  database: [
    { name: 'engine', label: 'Engine', isPublic: true },
    { name: 'host', label: 'Host', isPublic: true },
    { name: 'port', label: 'Port', isPublic: true },
    { name: 'database', label: 'Database', isOptional: true, isPublic: true },
    { name: 'username', label: 'User name', isPublic: true },
    { name: 'password', label: 'Password' },
  ],
}

export const secretTypeLabels: Record<SecretType, string> = {
  opaque: 'Opaque',
  password: 'Password',
  api_key: 'API key',
  certificate: 'Certificate',
  ssh_key: 'SSH key',
  registry: 'Registry login',
  kubeconfig: 'Kubeconfig',
  database: 'Database login',
}

/** Bounds of secrets. Lengths in characters unless their names say bytes. */
export const secretLimits = {
  name: 200,
  description: 2_000,
  reason: 500,
  valueBytes: 65_536,
  labels: 20,
  labelKey: 63,
  labelValue: 200,
  versions: 100,
  defaultVersions: 10,
  grants: 100,
  perOrganization: 20_000,
  /** Of one import and one export. The general limit of a body counts besides. */
  importBytes: 1_000_000,
  importEntries: 500,
  exportEntries: 500,
  /** In base64: a value of the largest size, encrypted. */
  shareCiphertext: 140_000,
  shareHours: 168,
  /** Links of an organization that wait to be opened. */
  shares: 500,
  /** Characters of a value that the server makes. */
  generatedMin: 8,
  generatedMax: 256,
  rotationDays: 3_650,
  /** Hours for which the version before stays live after a rotation. */
  overlapHours: 720,
  /** Days until a deleted secret is gone for good. */
  deletionDays: 7,
  /** A value that nobody read and nothing used for so long is called unused. */
  unusedDays: 90,
  /** A value that has not changed for so long is called stale. */
  staleDays: 180,
  /** Days ahead of its expiry in which a secret is called expiring. */
  expiringDays: 30,
  /** For how long a revealed value is shown, and a copied one stays in the clipboard. */
  shownMs: 30_000,
  copiedMs: 60_000,
} as const

/** Letters, digits, `.`, `_`, `-` and `/`; begins with a letter or digit, so that `{{ secrets.name }}` can name it. */
export function isValidSecretName(text: string): boolean {
  return text.length <= secretLimits.name && /^[\p{L}\p{N}][\p{L}\p{N}\p{M}._/-]*$/u.test(text)
}

export const secretNameRule =
  'Use letters, digits, dots, underscores, dashes and slashes, and begin with a letter or a digit.'

/** Files that secrets are read from and written to. */
export const secretTransferFormats = ['env', 'yaml', 'kubernetes'] as const
export type SecretTransferFormat = (typeof secretTransferFormats)[number]

/** Days before an expiry on which its managers are notified; 0: that it has expired. */
export const expiryNoticeDays = [30, 7, 1, 0] as const

/** Types whose value is one text that may be any: the server can make one. */
export const generatedTypes: readonly SecretType[] = ['opaque', 'password', 'api_key']

export const secretStatuses = ['active', 'disabled', 'pending_deletion', 'deleted'] as const
export type SecretStatus = (typeof secretStatuses)[number]

/** Legal moves of a secret. A deleted one keeps its name and trail for the audit, and no value. */
export const secretMoves: Record<SecretStatus, readonly SecretStatus[]> = {
  active: ['disabled', 'pending_deletion'],
  disabled: ['active', 'pending_deletion'],
  pending_deletion: ['active', 'disabled', 'deleted'],
  deleted: [],
}

export const secretVersionStatuses = ['current', 'superseded', 'soft_deleted', 'destroyed'] as const
export type SecretVersionStatus = (typeof secretVersionStatuses)[number]

/** Legal moves of a version. The value of a destroyed one is wiped. */
export const secretVersionMoves: Record<SecretVersionStatus, readonly SecretVersionStatus[]> = {
  current: ['superseded', 'destroyed'],
  superseded: ['soft_deleted', 'destroyed'],
  soft_deleted: ['superseded', 'destroyed'],
  destroyed: [],
}

/** What somebody may do with one secret. `use`: a run may resolve it without anybody seeing the value. */
export const secretAccesses = ['use', 'read', 'manage'] as const
export type SecretAccess = (typeof secretAccesses)[number]

export const secretSubjectTypes = ['role', 'user', 'api_key'] as const
export type SecretSubjectType = (typeof secretSubjectTypes)[number]

/** Reading includes use, and managing includes both. */
export function accessIncludes(held: SecretAccess, wanted: SecretAccess): boolean {
  return secretAccesses.indexOf(held) >= secretAccesses.indexOf(wanted)
}

/** Which secrets a list shows beside its search: each is a question that somebody comes with. */
export const secretFilters = [
  'expiring',
  'expired',
  'stale',
  'unused',
  'duplicates',
  'pending_deletion',
] as const
export type SecretFilter = (typeof secretFilters)[number]

/** How a new random value is made. */
export type GeneratorOptions = {
  length: number
  hasUppercase: boolean
  hasDigits: boolean
  hasSymbols: boolean
}

export const defaultGenerator: GeneratorOptions = {
  length: 32,
  hasUppercase: true,
  hasDigits: true,
  hasSymbols: true,
}

const lowercase = 'abcdefghijkmnopqrstuvwxyz'
const uppercase = 'ABCDEFGHJKLMNPQRSTUVWXYZ'
const digits = '23456789'
const symbols = '!#$%&*+-./:;=?@^_~'

/**
 * A random value with at least one character of each chosen kind; characters that look alike are left out.
 * `random` fills bytes from a cryptographic source.
 */
export function generateValue(options: GeneratorOptions, random: (bytes: Uint8Array) => Uint8Array): string {
  const kinds = [
    lowercase,
    ...(options.hasUppercase ? [uppercase] : []),
    ...(options.hasDigits ? [digits] : []),
    ...(options.hasSymbols ? [symbols] : []),
  ]
  const all = kinds.join('')
  const pick = (from: string) => from[randomBelow(from.length, random)] ?? ''
  const chosen = kinds.map(pick)
  while (chosen.length < options.length) chosen.push(pick(all))
  // Fisher-Yates: the one of each kind must not always stand in front.
  for (let last = chosen.length - 1; last > 0; last -= 1) {
    const other = randomBelow(last + 1, random)
    const kept = chosen[last] ?? ''
    chosen[last] = chosen[other] ?? ''
    chosen[other] = kept
  }
  return chosen.join('')
}

/** Uniform below `bound` (at most 256): values that would favour the small ones are drawn again. */
function randomBelow(bound: number, random: (bytes: Uint8Array) => Uint8Array): number {
  const limit = 256 - (256 % bound)
  for (;;) {
    const [byte = 0] = random(new Uint8Array(1))
    if (byte < limit) return byte % bound
  }
}

/** Guesses of a text in bits, from its length and the kinds of characters in it. An upper bound, not a promise. */
export function strengthBits(text: string): number {
  const kinds: [RegExp, number][] = [
    [/[a-z]/, 26],
    [/[A-Z]/, 26],
    [/\d/, 10],
    [/[^a-zA-Z\d\s]/, 32],
    [/\s/, 2],
  ]
  const alphabet = kinds.reduce((sum, [pattern, size]) => (pattern.test(text) ? sum + size : sum), 0)
  const distinct = new Set(text).size
  // A repeated character adds little: what counts is at most three times the distinct ones.
  return alphabet === 0 ? 0 : Math.floor(Math.min(text.length, distinct * 3) * Math.log2(alphabet))
}
