import { secretFields, type SecretType } from './rules.ts'

/** Rules about copies of secrets in clusters that both the console and the server keep. */

/** Types of Kubernetes Secrets that are written, and the keys that Kubernetes asks of each. */
export const kubernetesSecretTypes = {
  Opaque: [],
  'kubernetes.io/tls': ['tls.crt', 'tls.key'],
  'kubernetes.io/dockerconfigjson': ['.dockerconfigjson'],
  'kubernetes.io/basic-auth': ['username', 'password'],
  'kubernetes.io/ssh-auth': ['ssh-privatekey'],
} as const satisfies Record<string, readonly string[]>
export type KubernetesSecretType = keyof typeof kubernetesSecretTypes

/** Stands in a key map for the value of a type of one text. */
export const wholeValue = 'value'
/** Stands in a key map of a registry login for the file that Kubernetes reads, made of its fields. */
export const dockerConfig = 'dockerconfigjson'

/** What of a value can be written to a cluster, by name. */
export function syncSources(type: SecretType): string[] {
  const fields = secretFields[type].map(({ name }) => name)
  if (fields.length === 0) return [wholeValue]
  return type === 'registry' ? [...fields, dockerConfig] : fields
}

export type SyncShape = {
  kubernetesType: KubernetesSecretType
  /** Source by key of the Kubernetes Secret. */
  keys: Readonly<Record<string, string>>
}

/** How a value of each type is written by default. */
export function defaultSyncShape(type: SecretType): SyncShape {
  switch (type) {
    case 'certificate':
      return {
        kubernetesType: 'kubernetes.io/tls',
        keys: { 'tls.crt': 'certificate', 'tls.key': 'privateKey' },
      }
    case 'registry':
      return {
        kubernetesType: 'kubernetes.io/dockerconfigjson',
        keys: { '.dockerconfigjson': dockerConfig },
      }
    case 'ssh_key':
      return { kubernetesType: 'kubernetes.io/ssh-auth', keys: { 'ssh-privatekey': 'privateKey' } }
    case 'database':
      return {
        kubernetesType: 'Opaque',
        keys: Object.fromEntries(secretFields.database.map(({ name }) => [name, name])),
      }
    case 'password':
      return { kubernetesType: 'Opaque', keys: { password: wholeValue } }
    case 'kubeconfig':
      return { kubernetesType: 'Opaque', keys: { kubeconfig: wholeValue } }
    case 'opaque':
    case 'api_key':
      return { kubernetesType: 'Opaque', keys: { value: wholeValue } }
  }
}

/** What is wrong with a key map, in a sentence; undefined where nothing is. */
export function syncShapeProblem(type: SecretType, { kubernetesType, keys }: SyncShape): string | undefined {
  const sources = syncSources(type)
  const entries = Object.entries(keys)
  if (entries.length === 0) return 'Write at least one key.'
  const bad = entries.find(([key]) => !/^[-._a-zA-Z0-9]{1,253}$/.test(key))
  if (bad)
    return `"${bad[0]}" is no key of a Kubernetes Secret: use letters, digits, dots, dashes and underscores.`
  const unknown = entries.find(([, source]) => !sources.includes(source))
  if (unknown) return `A secret of this type has no "${unknown[1]}". It has: ${sources.join(', ')}.`
  const missing = kubernetesSecretTypes[kubernetesType].find((key) => !Object.hasOwn(keys, key))
  if (missing) return `Kubernetes asks for the key "${missing}" in a Secret of the type ${kubernetesType}.`
  return undefined
}

/** How a copy in a cluster is doing. `conflict`: a Secret of this name is there that Bey did not make. */
export const secretSyncStates = ['pending', 'synced', 'drifted', 'conflict', 'failed', 'removing'] as const
export type SecretSyncState = (typeof secretSyncStates)[number]

/** What differs in a cluster from what was written there; never holds a value. */
export type SecretDrift = { path: string; kind: 'changed' | 'missing' | 'added' }

/** What is done about a copy that is not as it should be. */
export const secretSyncActs = ['put_right', 'accept', 'take_over', 'retry'] as const
export type SecretSyncAct = (typeof secretSyncActs)[number]

export const secretSyncLimits = {
  /** Copies of one secret. */
  perSecret: 50,
  labels: 20,
  keys: 50,
  /** Between two looks at a copy in which nothing changed. */
  checkMs: 60_000,
} as const
