import type { ConnectionCheck } from '@bey/contract'

/** What each check is called in logs. */
export const checkLabels: Record<ConnectionCheck, string> = {
  name: 'Name',
  address: 'Address',
  connection: 'Connection',
  certificate: 'Certificate',
  kubernetes: 'Kubernetes',
  identity: 'Identity',
  rights: 'Rights',
  metrics: 'Metrics',
}
