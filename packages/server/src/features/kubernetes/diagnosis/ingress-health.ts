import type { Health } from '@bey/contract'

/** What is wrong with an ingress whose rules cannot lead anywhere. */
export const ingressHealth: Health = {
  state: 'degraded',
  reason: 'BackendMissing',
  detail: 'requests to it cannot be answered',
  since: null,
  object: null,
}
