import type { SecretDetail } from '@bey/contract'
import { defaultSyncShape, syncShapeProblem, syncSources } from '@bey/contract'
import { useState } from 'react'
import { useClusters } from '../../data/clusters.ts'

import type { NewSecretSync } from '../../data/secret-syncs.ts'
import { parseLabels } from '../../lib/label-text.ts'
import { kubernetesName } from './kubernetes-name.ts'

/** What is typed about a copy of a secret in a cluster. */
export interface SyncDraft {
  /** Empty until one is chosen: the first of the list. */
  clusterId: string
  namespace: string
  name: string
  labelText: string
  /** The key of each source; empty or missing for a source that is not written. */
  keyOf: Readonly<Record<string, string>>
  restarts: boolean
  correctsDrift: boolean
  onRemoval: 'leave' | 'delete'
}

/** The draft with what follows from it; `input` is undefined while it cannot be sent. */
export function useSyncDraft(secret: SecretDetail) {
  const usual = defaultSyncShape(secret.type)
  const sources = syncSources(secret.type)
  const clusters = useClusters({ limit: 200 }).data?.clusters
  const [draft, setDraft] = useState<SyncDraft>(() => ({
    clusterId: '',
    namespace: 'default',
    name: kubernetesName(secret.name),
    labelText: '',
    keyOf: Object.fromEntries(Object.entries(usual.keys).map(([key, source]) => [source, key])),
    restarts: true,
    correctsDrift: false,
    onRemoval: 'leave',
  }))
  const { keyOf } = draft
  const clusterId = draft.clusterId || String(clusters?.[0]?.id ?? '')
  const keys = Object.fromEntries(
    sources.filter((source) => keyOf[source]?.trim()).map((source) => [keyOf[source]?.trim() ?? '', source]),
  )
  // A type of Kubernetes is kept as long as the keys that it asks for are there.
  const kubernetesType =
    syncShapeProblem(secret.type, { kubernetesType: usual.kubernetesType, keys }) === undefined
      ? usual.kubernetesType
      : 'Opaque'
  const keysProblem = syncShapeProblem(secret.type, { kubernetesType, keys })
  const labels = parseLabels(draft.labelText)
  const isReady = clusterId !== '' && keysProblem === undefined && 'labels' in labels
  const input: NewSecretSync | undefined = isReady
    ? {
        clusterId: Number(clusterId),
        namespace: draft.namespace.trim(),
        name: draft.name.trim(),
        kubernetesType,
        keys,
        labels: labels.labels,
        restarts: draft.restarts,
        correctsDrift: draft.correctsDrift,
        onRemoval: draft.onRemoval,
      }
    : undefined
  return {
    draft: { ...draft, clusterId },
    change: (part: Partial<SyncDraft>) => setDraft({ ...draft, ...part }),
    sources,
    clusters,
    kubernetesType,
    keysProblem,
    labelsProblem: 'error' in labels ? labels.error : undefined,
    input,
  }
}
