/** A name of an object of Kubernetes, as a DNS label. */
export const kubernetesName = /^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/

export const kubernetesNameRule =
  'Use lower-case letters, digits, hyphens and dots; begin and end with a letter or digit.'

export const clusterLimits = {
  /** Servers of one database on a cluster. */
  instances: 9,
  parameters: 50,
  parameterChars: 200,
  image: 300,
} as const

/** How CloudNativePG backs up, as the specification of a Backup names it. */
export const clusterBackupMethods = ['plugin', 'barmanObjectStore', 'volumeSnapshot'] as const
export type ClusterBackupMethod = (typeof clusterBackupMethods)[number]

export const clusterBackupMethodLabels: Readonly<Record<ClusterBackupMethod, string>> = {
  plugin: 'plugin',
  barmanObjectStore: 'object store',
  volumeSnapshot: 'snapshot of its volumes',
}

/** Why nothing can be restored from a Backup in this phase, or undefined. */
export function clusterBackupRefusal(phase: string): string | undefined {
  if (phase === 'completed') return undefined
  if (phase === 'failed') return 'It failed.'
  if (phase === 'walArchivingFailing') return 'The changes that make it consistent are not archived.'
  return 'It is still being made.'
}

/** Major versions that are offered for a database on a cluster, the newest first. */
export const clusterVersions = ['18', '17', '16', '15', '14'] as const
export type ClusterVersion = (typeof clusterVersions)[number]

/** The image that CloudNativePG publishes for a major version. */
export const imageOfVersion = (version: ClusterVersion) => `ghcr.io/cloudnative-pg/postgresql:${version}`

const units = { Mi: 1024 ** 2, Gi: 1024 ** 3, Ti: 1024 ** 4 } as const

/** The bytes of a volume's size, such as `10Gi`; undefined for what is none. */
export function volumeBytes(size: string): number | undefined {
  const [, count, unit] = /^([1-9]\d{0,5})(Mi|Gi|Ti)$/.exec(size) ?? []
  return unit === 'Mi' || unit === 'Gi' || unit === 'Ti' ? Number(count) * units[unit] : undefined
}

export const volumeSizeRule = 'Enter a size such as 10Gi: a whole number with Mi, Gi or Ti.'

/** Why a volume cannot get another size, or undefined: Kubernetes makes none smaller. */
export function volumeRefusal(before: string | null, after: string): string | undefined {
  const [from, to] = [before === null ? undefined : volumeBytes(before), volumeBytes(after)]
  if (to === undefined) return volumeSizeRule
  return from !== undefined && to < from
    ? `Volumes grow only: this one has ${before}. Restore into a smaller one instead.`
    : undefined
}

/** The name of a parameter of PostgreSQL, perhaps of an extension. */
export const isParameterName = (text: string) =>
  /^[a-z_][a-z0-9_]{0,62}(\.[a-z_][a-z0-9_]{0,62})?$/.test(text)

export const parameterNameRule = 'Use the name of a parameter of PostgreSQL, such as work_mem.'

/** The lines `name = value` of a text, without empty ones and comments; throws a sentence for one that is none. */
export function parseParameters(text: string): Record<string, string> {
  const found: Record<string, string> = {}
  for (const line of text.split('\n').map((each) => each.trim())) {
    if (line === '' || line.startsWith('#')) continue
    const [, name, value = ''] = /^([^\s=]+)\s*=\s*(.*)$/.exec(line) ?? []
    if (name === undefined || !isParameterName(name)) {
      throw new Error(`"${line.slice(0, 60)}" is no line of the form name = value. ${parameterNameRule}`)
    }
    found[name] = value.replace(/^'(.*)'$/, '$1')
  }
  return found
}

/** Parameters as lines that `parseParameters` reads. */
export const parameterLines = (parameters: Readonly<Record<string, string>>) =>
  Object.entries(parameters)
    .map(([name, value]) => `${name} = ${value}`)
    .join('\n')

type OnCluster = {
  name: string
  namespace: string
  username: string
  database: string
}

/** The command that leads a port of one's own machine to the primary, for who can reach the cluster's API alone. */
export const portForwardCommand = ({ name, namespace }: Pick<OnCluster, 'name' | 'namespace'>) =>
  `kubectl port-forward --namespace ${namespace} service/${name}-rw 5432:5432`

/** The services of a Cluster of CloudNativePG: where is written, where replicas answer, where any instance does. */
export const clusterServices = ({ name, namespace }: Pick<OnCluster, 'name' | 'namespace'>) => ({
  write: `${name}-rw.${namespace}.svc`,
  readOnly: `${name}-ro.${namespace}.svc`,
  any: `${name}-r.${namespace}.svc`,
})
