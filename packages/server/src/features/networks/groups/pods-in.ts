import type { PodLabels } from '@bey/contract/networks/security-group-rules'

import type { Spec } from '../policy-rows.ts'

/** The label that Kubernetes gives each namespace: its name. */
export const nameLabel = 'kubernetes.io/metadata.name'

/** A peer of a NetworkPolicy: the pods of a namespace that have these labels. */
export const podsIn = (namespace: string, labels: PodLabels): Spec => ({
  namespaceSelector: { matchLabels: { [nameLabel]: namespace } },
  ...(Object.keys(labels).length > 0 && { podSelector: { matchLabels: labels } }),
})
