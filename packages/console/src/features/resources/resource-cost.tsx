import { deniedReason, objectOfResourceId } from '@bey/contract'
import type { CallInput } from '@bey/contract'
import { useRead } from '../../data/use-read.ts'
import { useRole } from '../../data/session.ts'
import { absent } from '../../lib/format.ts'
import { Link } from '../../ui/link.tsx'

type Filter = Pick<
  NonNullable<CallInput<'billing.spend'>['query']>,
  'cluster' | 'namespace' | 'workload' | 'resource'
>

/** Kinds of workloads that usage is metered of, as the ledger names them. */
const workloadKinds: Readonly<Record<string, string>> = {
  deployment: 'Deployment',
  statefulset: 'StatefulSet',
  daemonset: 'DaemonSet',
  job: 'Job',
  cronjob: 'CronJob',
}

/** Entities of Bey that a meter covers by themselves. */
const meteredKinds = ['database', 'workflow', 'secret']

/** What the ledger is asked for the cost of a resource; undefined where no meter covers its kind. */
export function costFilter(id: string): Filter | undefined {
  const object = objectOfResourceId(id)
  if (object) {
    const { kind, clusterId, namespace, name } = object
    const cluster = String(clusterId)
    if (kind === 'namespace') return { cluster, namespace: name }
    const workload = workloadKinds[kind]
    return workload === undefined ? undefined : { cluster, workload: `${namespace}/${workload}/${name}` }
  }
  const [kind = '', key = ''] = id.split(':', 2)
  if (kind === 'cluster') return { cluster: key }
  return meteredKinds.includes(kind) ? { resource: key } : undefined
}

/** What a resource cost this month so far, as the ledger estimates it. */
export function ResourceCost({ id }: { id: string }) {
  const filter = costFilter(id)
  const denied = deniedReason(useRole(), 'billing.read')
  const { data, error } = useRead(
    'billing.spend',
    { query: { ...filter, limit: 1 } },
    { isEnabled: filter !== undefined && denied === undefined },
  )
  if (filter === undefined) return <span data-tooltip="No meter covers this kind.">{absent}</span>
  const reason = denied ?? (error ? 'The spend could not be read.' : undefined)
  if (!data) return <span data-tooltip={reason}>{absent}</span>
  const amount = new Intl.NumberFormat('en', { style: 'currency', currency: data.currency })
  return (
    <Link href="/workspaces/settings/billing" className="underline hover:text-accent-text">
      {amount.format(Number(data.total))} this month
    </Link>
  )
}
