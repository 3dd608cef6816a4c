import { dockerConfig, type SecretDrift, wholeValue } from '@bey/contract'
import type { SecretValue } from '../value.ts'
import type { SyncRow } from './store.ts'

/** The annotation by which Bey knows a Secret as its own; its value is the id of the copy. */
export const ownAnnotation = 'bey.dev/secret-sync'
export const managedLabel = 'app.kubernetes.io/managed-by'

export type KubernetesSecret = {
  metadata: {
    name: string
    uid?: string
    labels?: Record<string, string>
    annotations?: Record<string, string>
  }
  type?: string
  /** Base64 by key. */
  data?: Record<string, string>
}

/** The Kubernetes Secret that shall be in a cluster. */
export function manifestOf(sync: SyncRow, value: SecretValue): KubernetesSecret {
  const data = Object.entries(sync.keys).flatMap(([key, source]) => {
    const text = sourceOf(value, source)
    return text === undefined ? [] : [[key, text] as const]
  })
  return {
    metadata: {
      name: sync.name,
      labels: { ...sync.labels, [managedLabel]: 'bey' },
      annotations: { [ownAnnotation]: sync.id },
    },
    type: sync.kubernetesType,
    data: Object.fromEntries(data),
  }
}

/** Base64 of a part of a value; undefined for an optional field that is not there. */
function sourceOf({ value, encoding }: SecretValue, source: string): string | undefined {
  if (typeof value === 'string') {
    return source !== wholeValue ? undefined : encoding === 'base64' ? value : base64(value)
  }
  if (source !== dockerConfig) return value[source] === undefined ? undefined : base64(value[source])
  const { server = '', username = '', password = '' } = value
  const auth = base64(`${username}:${password}`)
  return base64(JSON.stringify({ auths: { [server]: { username, password, auth } } }))
}

const base64 = (text: string) => Buffer.from(text, 'utf8').toString('base64')

/** In what the Secret in the cluster differs from what shall be there; labels and annotations of others do not count. */
export function driftOf(live: KubernetesSecret, wanted: KubernetesSecret): SecretDrift[] {
  const drift: SecretDrift[] = []
  const compare = (
    prefix: string,
    found: Record<string, string> = {},
    asked: Record<string, string> = {},
    countsAdded: boolean,
  ) => {
    for (const [key, text] of Object.entries(asked)) {
      if (!Object.hasOwn(found, key)) drift.push({ path: `${prefix}.${key}`, kind: 'missing' })
      else if (found[key] !== text) drift.push({ path: `${prefix}.${key}`, kind: 'changed' })
    }
    if (!countsAdded) return
    for (const key of Object.keys(found)) {
      if (!Object.hasOwn(asked, key)) drift.push({ path: `${prefix}.${key}`, kind: 'added' })
    }
  }
  compare('data', live.data, wanted.data, true)
  compare('labels', live.metadata.labels, wanted.metadata.labels, false)
  compare('annotations', live.metadata.annotations, wanted.metadata.annotations, false)
  if ((live.type ?? 'Opaque') !== wanted.type) drift.push({ path: 'type', kind: 'changed' })
  return drift.slice(0, 100)
}

/** Whether Bey made the Secret for this copy. */
export function isOwn(live: KubernetesSecret, { id }: Pick<SyncRow, 'id'>): boolean {
  return live.metadata.annotations?.[ownAnnotation] === id
}
