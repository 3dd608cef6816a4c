import type { WorkloadRow } from '@bey/contract'
import { healthStates, objectPath } from '@bey/contract'
import { useWorkloads } from '../../data/kubernetes.ts'
import { HealthStatus } from '../../entities/health/health-status.tsx'
import { healthHeading, workloadAddress } from '../../entities/kubernetes/workload-columns.tsx'
import { panelParts } from '../../entities/kubernetes/panels/panel-registry.ts'
import { PanelPartView } from '../../entities/kubernetes/panels/panel-view.tsx'
import { NetworkMembership } from '../../entities/networks/network-membership.tsx'
import { failureOf } from '../../lib/failed-query.ts'
import { absent, formatCount } from '../../lib/format.ts'
import { oneOf } from '../../lib/list-location.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Link } from '../../ui/link.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Section } from '../../ui/section.tsx'
import type { Column } from '../../ui/table.tsx'
import { Table } from '../../ui/table.tsx'
import { TableCard } from '../../ui/table-card.tsx'
import { asKubernetesObject } from './kubernetes-object.ts'
import { LatestChanges } from './namespace-changes.tsx'
import { NamespaceQuotas } from './namespace-quotas.tsx'
import { namespaceSentence } from './namespace-text.ts'
import { ObjectLabels } from './object-labels.tsx'
import type { ObjectSubject } from './object-tabs.tsx'

const shownWorkloads = 12

/** How the workloads of a namespace are, what changed in it last, and what it may take. */
export function NamespaceOverview({ cluster, detail }: ObjectSubject) {
  const { metadata, status } = asKubernetesObject(detail.object)
  const name = metadata?.name ?? ''
  const tabHref = (tab: string) =>
    objectPath({ clusterId: cluster.id, resource: 'namespaces', namespace: '', name }, tab)
  const subject = { cluster, namespace: '', name }
  return (
    <div className="grid gap-8 px-(--gutter) py-6 lg:grid-cols-[minmax(0,1fr)_24rem]">
      <div className="grid min-w-0 content-start gap-8">
        <Workloads clusterId={cluster.id} namespace={name} href={tabHref('workloads')} />
        <LatestChanges cluster={cluster} namespace={name} href={tabHref('changes')} />
      </div>
      <div className="grid min-w-0 content-start gap-8">
        <NamespaceQuotas cluster={cluster} namespace={name} />
        {status?.['phase'] === 'Active'
          ? null
          : panelParts('namespaces', detail.object).map((part) => (
              <PanelPartView key={part.title} part={part} subject={subject} />
            ))}
        <Section title="About" isCard>
          <Facts
            facts={[
              {
                label: 'Network',
                value: <NetworkMembership of={{ clusterId: cluster.id, namespace: name }} />,
              },
              { label: 'Created', value: <RelativeTime at={metadata?.creationTimestamp ?? null} /> },
              { label: 'More', value: <MoreTabs href={tabHref} /> },
            ]}
          />
        </Section>
        <ObjectLabels title="Labels" values={metadata?.labels} />
        <ObjectLabels title="Annotations" values={metadata?.annotations} />
      </div>
    </div>
  )
}

/** Parts of the page that few people open. */
function MoreTabs({ href }: { href: (tab: string) => string }) {
  return (
    <span className="flex flex-wrap justify-end gap-x-3">
      {(['yaml', 'history', 'activity'] as const).map((tab) => (
        <Link key={tab} href={href(tab)} className="underline hover:text-accent-text">
          {tab === 'yaml' ? 'YAML' : tab === 'history' ? 'History' : 'Activity'}
        </Link>
      ))}
    </span>
  )
}

function Workloads({ clusterId, namespace, href }: { clusterId: number; namespace: string; href: string }) {
  const query = useWorkloads(clusterId, { namespace, sort: 'health', limit: shownWorkloads }, true)
  const { data } = query
  const failure = failureOf('Failed to fetch the workloads', query)
  const total = data?.total ?? 0
  return (
    <div>
      <p className="mb-4 min-h-5 text-lead font-medium">{data ? namespaceSentence(data) : null}</p>
      <Section
        title="Workloads"
        aside={
          <Link href={href} className="hover:underline">
            {total > shownWorkloads ? `All ${formatCount(total, 'workload')}` : 'All workloads'}
          </Link>
        }
      >
        <TableCard>
          <Table
            label="Workloads"
            columns={columns}
            rows={data?.workloads}
            rowKey={({ uid }) => uid}
            rowHref={(row) => objectPath({ clusterId, ...workloadAddress(row) })}
            group={({ health }) => {
              const state = oneOf(healthStates, health.state) ?? 'unknown'
              return { key: state, heading: healthHeading(state, data?.counts[state]) }
            }}
            skeletonRows={6}
            error={failure && !data ? <ErrorState {...failure} isCompact /> : undefined}
            empty={
              <EmptyState
                title="No workloads"
                description="A deployment, for example, keeps a number of equal pods running. What is created in this namespace appears here at once."
              />
            }
          />
        </TableCard>
      </Section>
    </div>
  )
}

const columns: readonly Column<WorkloadRow>[] = [
  {
    key: 'name',
    header: 'Name',
    width: '36%',
    cell: ({ kind, name }) => (
      <span className="block truncate" data-tooltip={`${kind} ${name}`}>
        {name} <span className="font-normal text-text-2">{kind}</span>
      </span>
    ),
  },
  {
    key: 'health',
    header: 'Health',
    isVital: true,
    cell: ({ health }) => (
      <span className="flex min-w-0 items-baseline gap-1.5">
        <span className="shrink-0">
          <HealthStatus health={health} />
        </span>
        {health.state === 'healthy' || !health.detail ? null : (
          <span className="min-w-0 truncate text-text-2" data-tooltip={health.detail}>
            {health.detail}
          </span>
        )}
      </span>
    ),
  },
  {
    key: 'since',
    header: 'Since',
    align: 'end',
    width: '6rem',
    cell: ({ health }) => <RelativeTime at={health.since} />,
  },
  {
    key: 'ready',
    header: 'Ready',
    align: 'end',
    width: '5rem',
    cell: ({ kind, ready, desired }) => (kind === 'CronJob' ? absent : `${ready}/${desired}`),
  },
]
