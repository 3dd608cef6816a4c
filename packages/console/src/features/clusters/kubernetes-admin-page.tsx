import type { CallOutput, Sandbox } from '@bey/contract'
import { clusterLabel, deniedReason } from '@bey/contract'
import { Server } from 'lucide-react'
import { CacheSection } from './cache-section.tsx'
import { ConnectionSection, ProviderSection, useConnections } from './provider-section.tsx'
import { useRole } from '../../data/session.ts'
import { useRead } from '../../data/use-read.ts'
import { clusterHref } from '../../entities/clusters/cluster-text.ts'
import { failureOf } from '../../lib/failed-query.ts'
import { absent, formatBytes, formatDuration, formatNumber } from '../../lib/format.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Link } from '../../ui/link.tsx'
import { Meter } from '../../ui/meter.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Section } from '../../ui/section.tsx'
import { DelayedSkeleton, Skeleton } from '../../ui/skeleton.tsx'
import { Status } from '../../ui/status.tsx'
import { TableCard } from '../../ui/table-card.tsx'
import { Table } from '../../ui/table.tsx'
import type { Column } from '../../ui/table.tsx'

type Machine = CallOutput<'sandboxes.list'>['machine']

/** What sandboxes take of the machine that Bey runs on, and what is left. */
export function KubernetesAdminPage() {
  const denied = deniedReason(useRole(), 'sandboxes.read')
  const list = useRead('sandboxes.list', {}, { isEnabled: denied === undefined, refreshMs: 30_000 })
  const { data } = list
  const failure = failureOf('Failed to fetch sandboxes', list)
  const others = [
    useRead('clusters.providers', {}),
    useConnections(),
    useRead('kubernetes.caches', {}, { isEnabled: denied === undefined, refreshMs: 30_000 }),
  ]
  // Shown together: what came later would push what stands below it.
  const isWaiting = [list, ...others].some(({ isLoading }) => isLoading)
  return (
    <>
      <PageHeader
        title="Kubernetes administration"
        description="Where clusters come from and how they are reached, what they use of the machine that runs Bey, and what is free."
      />
      {denied ? (
        <EmptyState title="This page is for admins" description={denied} />
      ) : isWaiting ? (
        <PageSkeleton />
      ) : (
        <div className="flex max-w-6xl flex-col gap-8 px-(--gutter) py-6">
          {failure && <ErrorState {...failure} isCompact />}
          {data?.machine.refusal ? (
            <Notice tone="warn" title="No capacity for another sandbox">
              {data.machine.refusal}
            </Notice>
          ) : null}
          {data?.machine.problem ? (
            <Notice tone="warn" title="Sandboxes have more rights than they need">
              {data.machine.problem} Move Bey to a folder that others may read, or start it as another user.
            </Notice>
          ) : null}
          <Budget machine={data?.machine} />
          <Section title="Sandboxes of this organization">
            <TableCard>
              <Table
                label="Sandboxes of this organization"
                columns={columns}
                rows={data?.sandboxes}
                rowKey={(sandbox) => String(sandbox.clusterId)}
                rowLabel={(sandbox) => sandbox.title}
                skeletonRows={3}
                empty={
                  <EmptyState
                    icon={<Server size={24} strokeWidth={1.5} aria-hidden />}
                    title="No sandboxes yet"
                    description="A sandbox cluster takes memory and disk of this machine. It is listed here with its usage."
                    action={<ButtonLink href="/kubernetes/clusters/create">Create cluster</ButtonLink>}
                  />
                }
              />
            </TableCard>
          </Section>
          <ProviderSection />
          <ConnectionSection />
          <CacheSection isAllowed={denied === undefined} />
        </div>
      )}
    </>
  )
}

function PageSkeleton() {
  return (
    <DelayedSkeleton>
      <span className="flex max-w-6xl flex-col gap-8 px-(--gutter) py-6">
        <Skeleton className="h-40" />
        <Skeleton className="h-40" />
        <Skeleton className="h-40" />
      </span>
    </DelayedSkeleton>
  )
}

function Budget({ machine }: { machine: Machine | undefined }) {
  return (
    <div className="grid items-start gap-x-10 gap-y-8 lg:grid-cols-2">
      <Section title="Machine" aside={machine ? 'all organizations' : null}>
        {machine ? (
          <div className="flex flex-col gap-4">
            <Meter
              label="Sandboxes"
              used={machine.sandboxes}
              total={machine.maxSandboxes}
              format={formatNumber}
            />
            <Meter
              label="Memory of the budget"
              used={machine.usedMemoryBytes}
              total={machine.budgetBytes}
              format={formatBytes}
            />
            <Meter
              label="Disk"
              used={machine.usedDiskBytes}
              total={machine.usedDiskBytes + machine.freeDiskBytes}
              format={formatBytes}
            />
          </div>
        ) : (
          <DelayedSkeleton>
            <Skeleton className="h-30 w-full" />
          </DelayedSkeleton>
        )}
      </Section>
      <Section title="Limits of one sandbox">
        <Facts
          facts={[
            { label: 'Memory', value: formatBytes(machine?.sandboxBytes) },
            { label: 'Objects', value: formatNumber(machine?.maxObjects) },
            { label: 'Disk', value: formatBytes(machine?.maxDiskBytes) },
            { label: 'Memory of this machine', value: formatBytes(machine?.machineBytes) },
            { label: 'Memory is set by', value: <code>BEY_SANDBOX_MEMORY_MIB</code> },
            { label: 'The budget is set by', value: <code>BEY_SANDBOX_BUDGET_MIB</code> },
          ]}
        />
      </Section>
    </div>
  )
}

const figure = (
  used: number | undefined,
  most: number | null | undefined,
  format: (value: number) => string,
) => (used === undefined ? absent : most == null ? format(used) : `${format(used)} of ${format(most)}`)

const columns: readonly Column<Sandbox>[] = [
  {
    key: 'title',
    header: 'Cluster',
    cell: (sandbox) => (
      <Link href={clusterHref(sandbox.clusterId)} className="underline-offset-2 hover:underline">
        {sandbox.title}
      </Link>
    ),
  },
  {
    key: 'status',
    header: 'Status',
    width: '7rem',
    cell: (sandbox) => <Status status={clusterLabel(sandbox.status)} />,
  },
  {
    key: 'memory',
    header: 'Memory',
    width: '6rem',
    align: 'end',
    cell: ({ usage }) => formatBytes(usage?.memoryBytes),
  },
  {
    key: 'stored',
    header: 'Stored',
    width: '10rem',
    align: 'end',
    cell: ({ usage }) => figure(usage?.storedBytes, usage?.maxStoredBytes, formatBytes),
  },
  {
    key: 'objects',
    header: 'Objects',
    width: '9rem',
    align: 'end',
    cell: ({ usage }) => figure(usage?.objects, usage?.maxObjects, formatNumber),
  },
  {
    key: 'disk',
    header: 'Disk',
    width: '6rem',
    align: 'end',
    isExtra: true,
    cell: ({ usage }) => formatBytes(usage?.diskBytes),
  },
  {
    key: 'uptime',
    header: 'Running for',
    width: '7rem',
    align: 'end',
    cell: ({ usage }) => (usage ? formatDuration(usage.uptimeSeconds * 1000) : absent),
  },
  {
    key: 'restart',
    header: 'Last restart',
    width: '7rem',
    align: 'end',
    cell: ({ lastRestart }) =>
      lastRestart ? (
        <span data-tooltip={lastRestart.reason}>
          <RelativeTime at={lastRestart.at} />
        </span>
      ) : (
        'never'
      ),
  },
]
