import type { Cluster } from '@bey/contract'
import { Suspense, useState } from 'react'
import { useCluster } from '../../data/clusters.ts'
import { useFollow } from '../../data/live.ts'
import { useRun } from '../../data/workflows.ts'
import { useRead } from '../../data/use-read.ts'
import { clusterHref } from '../../entities/clusters/cluster-text.ts'
import { useClusterActions } from '../../entities/clusters/use-cluster-actions.ts'
import { causeOf } from '../../lib/error-text.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Facts } from '../../ui/facts.tsx'
import { lazyPart } from '../../lib/lazy-part.ts'
import { Link } from '../../ui/link.tsx'
import { LogView } from '../../ui/log-view.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Section } from '../../ui/section.tsx'
import { Status } from '../../ui/status.tsx'
import { Record } from './record.tsx'
import { useFrames } from './use-frames.ts'

const DeleteClusterDialog = lazyPart(async () => ({
  default: (await import('../../entities/clusters/delete-cluster-dialog.tsx')).DeleteClusterDialog,
}))

/** Everything that is known about one cluster, raw, and what can be done to it. */
export function ClusterDebug({ cluster: listed, isDeleted }: { cluster: Cluster; isDeleted: boolean }) {
  const record = useCluster(listed.id)
  const cluster = record.data ?? listed
  const status = useRead('clusters.status', { params: { id: cluster.id } })
  const run = useRun(cluster.lastRun?.workflowId, cluster.lastRun?.runId)
  useFollow({ kind: 'cluster', clusterId: cluster.id })
  return (
    <div className="flex min-w-0 flex-col gap-6">
      {isDeleted ? (
        <output className="text-text-2">
          {cluster.title} was deleted. What was known of it stays here until you look at another cluster.
        </output>
      ) : (
        <Head cluster={cluster} onCheck={() => void status.refetch()} isChecking={status.isFetching} />
      )}
      <Reachability cluster={cluster} />
      {status.error ? (
        <p role="alert" className="text-danger">
          Status fetch failed: {causeOf(status.error)}
        </p>
      ) : null}
      <div className="grid items-start gap-6 xl:grid-cols-2">
        <Record
          title="Cluster record"
          value={record.data}
          error={record.error}
          onRetry={() => void record.refetch()}
        />
        <Record
          title="Status record"
          value={status.data}
          error={status.error}
          onRetry={() => void status.refetch()}
        />
      </div>
      {cluster.lastRun ? (
        <Record
          title="Last run"
          value={run.data}
          error={run.error}
          onRetry={() => void run.refetch()}
          aside={
            <Link
              href={`/workflows/${cluster.lastRun.workflowId}/runs/${cluster.lastRun.runId}`}
              className="underline-offset-2 hover:text-accent-text hover:underline"
            >
              Open the run
            </Link>
          }
        />
      ) : (
        <Section title="Last run">
          <p className="text-text-2">No run has changed this cluster.</p>
        </Section>
      )}
      <Frames cluster={cluster} />
    </div>
  )
}

function Head({
  cluster,
  onCheck,
  isChecking,
}: {
  cluster: Cluster
  onCheck: () => void
  isChecking: boolean
}) {
  const { provision, deleteReason } = useClusterActions(cluster)
  const [isDeleting, setDeleting] = useState(false)
  return (
    <header className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
      <div className="flex min-w-0 items-center gap-3">
        <h2 className="truncate text-dialog font-semibold">{cluster.title}</h2>
        <Status status={cluster.status} variant="badge" />
        <span className="text-text-3">id {cluster.id}</span>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button busy={provision.isRunning} disabledReason={provision.disabledReason} onClick={provision.run}>
          Provision
        </Button>
        <Button disabledReason={deleteReason} onClick={() => setDeleting(true)}>
          Delete
        </Button>
        <Button busy={isChecking} onClick={onCheck}>
          Check Status
        </Button>
        <ButtonLink href={clusterHref(cluster.id)}>Open cluster</ButtonLink>
      </div>
      <Suspense fallback={null}>
        {isDeleting ? <DeleteClusterDialog cluster={cluster} onClose={() => setDeleting(false)} /> : null}
      </Suspense>
    </header>
  )
}

function Reachability({ cluster }: { cluster: Cluster }) {
  const { state, since, reason } = cluster.reachability
  return (
    <Section title="Reachability">
      <Facts
        layout="columns"
        facts={[
          {
            label: 'State',
            value: (
              <Status
                status={state === 'unreachable' ? 'failed' : state === 'reachable' ? 'running' : 'pending'}
                label={state}
              />
            ),
          },
          { label: 'Since', value: since ? <RelativeTime at={since} /> : '—' },
          { label: 'Reason', value: reason ?? '—' },
          { label: 'Pending operations', value: cluster.pending_operations },
          { label: 'Last error', value: cluster.error ?? '—' },
        ]}
      />
    </Section>
  )
}

function Frames({ cluster }: { cluster: Cluster }) {
  const { frames, clear } = useFrames(cluster)
  return (
    <Section
      title="Live messages"
      aside={
        <Button
          size="small"
          disabledReason={frames.length === 0 ? 'There is no message yet.' : undefined}
          onClick={clear}
        >
          Clear
        </Button>
      }
    >
      <LogView
        label="Live messages"
        lines={frames.map(({ id, at, type, text }) => ({
          id: String(id),
          at,
          level: 'info',
          source: type,
          text,
        }))}
        empty="No message about this cluster since you opened the page."
        height="20rem"
      />
    </Section>
  )
}
