import type { Metadata } from '../types.ts'
import type { Kind } from './kind.ts'

function healthy(name: string) {
  return {
    apiVersion: 'v1',
    kind: 'ComponentStatus',
    // Nothing is stored, so there is neither a uid nor a time.
    metadata: { name } as Metadata,
    conditions: [{ type: 'Healthy', status: 'True', message: 'ok' }],
  }
}

/** What old tools ask to see whether a control plane works; one that answers does. */
export const componentStatuses: Kind = {
  group: '',
  version: 'v1',
  resource: 'componentstatuses',
  kind: 'ComponentStatus',
  singular: 'componentstatus',
  shortNames: ['cs'],
  categories: [],
  namespaced: false,
  verbs: ['get', 'list'],
  key: 'componentstatuses',
  model: 'V1ComponentStatus',
  hasStatus: false,
  hasGeneration: false,
  computed: ['controller-manager', 'etcd-0', 'scheduler'].map(healthy),
  deprecation: { minor: 19 },
}
