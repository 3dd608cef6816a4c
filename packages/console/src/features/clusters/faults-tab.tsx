import type { Cluster, Fault } from '@bey/contract'
import { clusterCan, deniedReason } from '@bey/contract'
import { useSwitchFault } from '../../data/sandboxes.ts'
import { useRole } from '../../data/session.ts'
import { useStaleReason } from '../../data/stale-reason.ts'
import { useRead } from '../../data/use-read.ts'
import { clusterHref } from '../../entities/clusters/cluster-text.ts'
import { causeOf } from '../../lib/error-text.ts'
import { failureOf } from '../../lib/failed-query.ts'
import { formatCount } from '../../lib/format.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Notice } from '../../ui/notice.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Section } from '../../ui/section.tsx'
import { DelayedSkeleton, Skeleton } from '../../ui/skeleton.tsx'
import { Status } from '../../ui/status.tsx'

/** What can be broken on purpose in a sandbox, to see how it looks and how it is found. */
export function FaultsTab({ cluster }: { cluster: Cluster }) {
  const isRunning = cluster.status === 'RUNNING'
  const list = useRead('sandboxes.faults', { params: { id: cluster.id } }, { isEnabled: isRunning })
  const faults = list.data?.faults
  const failure = failureOf('Failed to fetch faults', list)
  if (!isRunning) {
    return (
      <EmptyState
        title="No faults can be injected yet"
        description={clusterCan.connect(cluster) ?? 'The cluster does not run.'}
        action={<ButtonLink href={clusterHref(cluster.id)}>Open the overview</ButtonLink>}
      />
    )
  }
  const active = faults?.filter(({ since }) => since !== null) ?? []
  return (
    <div className="flex max-w-5xl flex-col gap-4 px-(--gutter) py-6">
      <Section
        title="Break something"
        aside={
          faults
            ? active.length === 0
              ? 'No fault is active'
              : `${formatCount(active.length, 'fault')} active`
            : null
        }
      >
        <p className="max-w-prose text-text-2">
          Faults for practice: each breaks one thing in this sandbox until it is ended. Workloads of a fault
          live in the namespace chaos. Every change is in the audit trail.
        </p>
        {failure && <ErrorState {...failure} isCompact />}
        {faults ? <FaultList cluster={cluster} faults={faults} /> : null}
        {faults || failure ? null : (
          <DelayedSkeleton>
            <Skeleton className="mt-4 h-80 w-full" />
          </DelayedSkeleton>
        )}
      </Section>
    </div>
  )
}

function FaultList({ cluster, faults }: { cluster: Cluster; faults: readonly Fault[] }) {
  return (
    <ul className="mt-4 divide-y divide-line rounded-card border border-line">
      {faults.map((fault) => (
        <FaultRow key={fault.id} cluster={cluster} fault={fault} />
      ))}
    </ul>
  )
}

function FaultRow({ cluster, fault }: { cluster: Cluster; fault: Fault }) {
  const change = useSwitchFault(cluster.id)
  const role = useRole()
  const stale = useStaleReason()
  const isOn = fault.since !== null
  return (
    <li className="flex flex-wrap items-center gap-x-6 gap-y-2 px-4 py-3">
      <div className="min-w-0 flex-1 basis-72">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h3 className="font-medium">{fault.title}</h3>
          {fault.since === null ? null : (
            <span className="inline-flex items-center gap-2 text-small text-text-2">
              <Status status="warning" label="active" />
              <span>
                since <RelativeTime at={fault.since} />
              </span>
            </span>
          )}
        </div>
        <p className="mt-0.5 text-text-2">{fault.about}</p>
        {change.error ? (
          <div className="mt-2">
            <Notice tone="danger" title={`Failed to ${isOn ? 'end' : 'apply'} “${fault.title}”`}>
              {causeOf(change.error)}
            </Notice>
          </div>
        ) : null}
      </div>
      <Button
        size="small"
        busy={change.isPending}
        disabledReason={deniedReason(role, 'sandboxes.break') ?? stale}
        onClick={() => change.mutate({ faultId: fault.id, isOn: !isOn })}
        aria-label={`${isOn ? 'End' : 'Apply'} ${fault.title}`}
      >
        {isOn ? 'End' : 'Apply'}
      </Button>
    </li>
  )
}
