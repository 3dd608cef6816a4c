import { bytes, millicores, quantity } from '@bey/contract'
import { formatBytes, formatCpu, formatNumber } from '../../lib/format.ts'

/** One thing that a quota limits, as the cluster counts it. */
export interface QuotaMeter {
  name: string
  label: string
  used: number
  hard: number
  format: (value: number) => string
}

/** What a ResourceQuota limits and what is used of it; the fullest first. */
export function quotaMeters(quota: Record<string, unknown>): QuotaMeter[] {
  // The kind says what its fields look like.
  const { spec, status } = quota as Quota
  const hard = status?.hard ?? spec?.hard ?? {}
  const used = status?.used ?? {}
  const share = (meter: QuotaMeter) => (meter.hard > 0 ? meter.used / meter.hard : 0)
  return Object.keys(hard)
    .map((name) => meterOf(name, used[name], hard[name]))
    .toSorted((a, b) => share(b) - share(a))
}

interface Quota {
  spec?: { hard?: Record<string, string> }
  status?: { hard?: Record<string, string>; used?: Record<string, string> }
}

function meterOf(name: string, used: string | undefined, hard: string | undefined): QuotaMeter {
  const of = name.split('.').at(-1) ?? name
  const [read, format] =
    of === 'cpu'
      ? [millicores, formatCpu]
      : of === 'memory' || of.endsWith('storage') || of.startsWith('hugepages-')
        ? [bytes, formatBytes]
        : [quantity, formatNumber]
  return { name, label: labels[name] ?? name, used: read(used), hard: read(hard), format }
}

/** By the names of https://kubernetes.io/docs/concepts/policy/resource-quotas/; others are shown as they are. */
const labels: Readonly<Record<string, string>> = {
  cpu: 'CPU requests',
  'requests.cpu': 'CPU requests',
  'limits.cpu': 'CPU limits',
  memory: 'Memory requests',
  'requests.memory': 'Memory requests',
  'limits.memory': 'Memory limits',
  'requests.storage': 'Storage requests',
  'requests.ephemeral-storage': 'Disk requests',
  'limits.ephemeral-storage': 'Disk limits',
  persistentvolumeclaims: 'Volume claims',
  pods: 'Pods',
  services: 'Services',
  'services.loadbalancers': 'Load balancers',
  'services.nodeports': 'Node ports',
  secrets: 'Secrets',
  configmaps: 'Config maps',
  'count/deployments.apps': 'Deployments',
}
