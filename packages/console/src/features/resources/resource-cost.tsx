import { deniedReason, objectOfResourceId } from '@bey/contract'
import type { CallInput } from '@bey/contract'
import { useRead } from '../../data/use-read.ts'
import { useRole } from '../../data/session.ts'
import { MonthChart } from '../../entities/billing/month-chart.tsx'
import { moneyText, monthText } from '../../entities/billing/money.ts'
import { absent } from '../../lib/format.ts'
import { Link } from '../../ui/link.tsx'
import { Section } from '../../ui/section.tsx'

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

/** What the ledger estimates of a resource for this month; undefined data where no meter covers it. */
function useSpend(id: string) {
  const filter = costFilter(id)
  const denied = deniedReason(useRole(), 'billing.read')
  const { data, error } = useRead(
    'billing.spend',
    { query: { ...filter, limit: 1 } },
    { isEnabled: filter !== undefined && denied === undefined },
  )
  const reason =
    filter === undefined
      ? 'No meter covers this kind.'
      : (denied ?? (error ? 'The spend could not be read.' : undefined))
  return { data, reason }
}

/** What a resource cost this month so far, as the ledger estimates it. */
export function ResourceCost({ id }: { id: string }) {
  const { data, reason } = useSpend(id)
  if (!data) return <span data-tooltip={reason}>{absent}</span>
  return (
    <Link href="/workspaces/settings/billing" className="underline hover:text-accent-text">
      {moneyText(data.total, data.currency)} this month
    </Link>
  )
}

/** What it cost on each day of the month; nothing where nothing was metered. */
export function CostByDay({ id }: { id: string }) {
  const { data } = useSpend(id)
  if (!data || Number(data.total) <= 0) return null
  const newest = data.days.at(-1)
  return (
    <Section
      title={`Cost a day, ${monthText(data.month.month)}`}
      aside={newest ? `${moneyText(newest.amount, data.currency)} so far today` : undefined}
    >
      <MonthChart spend={data} budget={undefined} isByDay isLow />
    </Section>
  )
}
