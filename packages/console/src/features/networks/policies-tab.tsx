import { objectPath } from '@bey/contract'
import type { AccessDrift, KeptPolicy } from '@bey/contract'
import { RotateCw } from 'lucide-react'
import { Suspense, useState } from 'react'
import type { Network } from '../../data/networks.ts'
import { useRead } from '../../data/use-read.ts'
import { diffText } from '../../entities/kubernetes/yaml/diff-text.ts'
import { useNetworkActions } from '../../entities/networks/use-network-actions.ts'
import { failureOf } from '../../lib/failed-query.ts'
import { lazyPart } from '../../lib/lazy-part.ts'
import { Button } from '../../ui/button.tsx'
import { DiffLines } from '../../ui/diff-lines.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Link } from '../../ui/link.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { DelayedSkeleton, Skeleton } from '../../ui/skeleton.tsx'
import { Status } from '../../ui/status.tsx'
import { momentText } from '../../ui/time-text.ts'
import { PlanFlows } from './plan-flows.tsx'

const TakeOverDialog = lazyPart(async () => ({
  default: (await import('./take-over-dialog.tsx')).TakeOverDialog,
}))

/** What is kept in clusters for a network, and where somebody changed it past Bey. */
export function PoliciesTab({ network }: { network: Network }) {
  const query = useRead('networks.policies', { params: { id: network.id } })
  const failure = failureOf('Failed to fetch the policies', query)
  if (failure) return <ErrorState {...failure} />
  if (query.data === undefined)
    return (
      <DelayedSkeleton>
        <Skeleton className="m-(--gutter) h-40" />
      </DelayedSkeleton>
    )
  const { policies, databases } = query.data
  if (policies.length + databases.length === 0) {
    return (
      <EmptyState
        title="No policy is kept in a cluster"
        description={
          network.isIsolated
            ? isolatedText(network)
            : 'Isolate the network in its settings: then a policy in each of its namespaces lets in what takes part in it, and nothing else.'
        }
      />
    )
  }
  return (
    <ul className="divide-y divide-line border-b border-line">
      {databases.map((drift) => (
        <EditedAccess key={drift.databaseId} drift={drift} network={network} />
      ))}
      {policies.toSorted(byState).map((policy) => (
        <Policy key={policy.id} policy={policy} network={network} />
      ))}
    </ul>
  )
}

/** What an isolated network without a policy limits. */
function isolatedText({ attachments }: Network): string {
  const databases = attachments.filter(({ kind }) => kind === 'database').length
  return databases === 0
    ? 'It is isolated, and no namespace is attached to it yet.'
    : `No namespace is attached to it. Who reaches a database on the machine of Bey is written to its pg_hba.conf; a file that is edited by hand is listed here with its difference.`
}

const stateOrder = ['changed', 'missing', 'unknown', 'in_force'] as const

/** What drifted comes first; the rest keeps its order. */
const byState = (one: KeptPolicy, other: KeptPolicy) =>
  stateOrder.indexOf(one.state) - stateOrder.indexOf(other.state)

const words = {
  in_force: { status: 'healthy', label: 'as defined' },
  changed: { status: 'degraded', label: 'changed past Bey' },
  missing: { status: 'degraded', label: 'deleted past Bey' },
  unknown: { status: 'unknown', label: 'not known' },
} as const

function Policy({ policy, network }: { policy: KeptPolicy; network: Network }) {
  const { clusterId, clusterTitle, namespace, name, state, stateSince, checkedAt, changedBy } = policy
  const resource =
    policy.kind === 'NetworkPolicy' ? 'networkpolicies.networking.k8s.io' : 'ciliumnetworkpolicies.cilium.io'
  const { status, label } = words[state]
  const by = changedBy === null ? '' : ` by ${changedBy}`
  return (
    <li className="px-(--gutter) py-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <Link
          href={objectPath({ clusterId, resource, namespace, name })}
          className="min-w-0 truncate font-medium hover:underline"
        >
          {namespace}/{name}
        </Link>
        {policy.kind === 'NetworkPolicy' ? null : <span className="text-text-3">{policy.kind}</span>}
        <span className="text-text-3">{clusterTitle}</span>
        <Status
          status={status}
          label={state === 'in_force' ? label : `${label}${by}`}
          title={`since ${momentText(stateSince)}`}
        />
        <span className="ml-auto text-small text-text-3">
          checked <RelativeTime at={checkedAt} />
        </span>
      </div>
      {state === 'changed' && policy.found !== null ? (
        <div className="mt-2 max-w-3xl">
          <p className="mb-1 text-small text-text-2">
            As defined in Bey (−) and in the cluster since {momentText(stateSince)} (+):
          </p>
          <DiffLines
            label={`What differs in ${namespace}/${name}`}
            lines={diffText(policy.written, policy.found).lines}
          />
        </div>
      ) : null}
      {policy.spec === null ? null : (
        <div className="mt-2 max-w-3xl">
          <p className="text-small text-text-2">If it is put right:</p>
          <PlanFlows
            policies={[{ clusterId, clusterTitle, kind: policy.kind, namespace, name, spec: policy.spec }]}
          />
        </div>
      )}
      {state === 'changed' || state === 'missing' ? <DriftActions policy={policy} network={network} /> : null}
    </li>
  )
}

/** A database whose `pg_hba.conf` was edited by hand, with the lines that differ. */
function EditedAccess({ drift, network }: { drift: AccessDrift; network: Network }) {
  const { databaseId, name, written, found } = drift
  return (
    <li className="px-(--gutter) py-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <Link href={`/databases/${databaseId}`} className="min-w-0 truncate font-medium hover:underline">
          {name}
        </Link>
        <span className="text-text-3">pg_hba.conf</span>
        <Status status="degraded" label={found === null ? 'deleted past Bey' : 'changed past Bey'} />
      </div>
      {found === null ? null : (
        <div className="mt-2 max-w-3xl">
          <p className="mb-1 text-small text-text-2">As defined in Bey (−) and on disk (+):</p>
          <DiffLines
            label={`What differs in pg_hba.conf of ${name}`}
            lines={diffText(written, found).lines}
          />
        </div>
      )}
      <div className="mt-2 flex flex-wrap items-center gap-2">
        <PutRightButton network={network} />
        <span className="text-small text-text-3">
          Put right writes the file again and has the server read it. Open connections stay open.
        </span>
      </div>
    </li>
  )
}

/** The two ways out of a drift: the definition is written again, or what the cluster has is recorded. */
function DriftActions({ policy, network }: { policy: KeptPolicy; network: Network }) {
  const [isTaking, setTaking] = useState(false)
  const { changeReason } = useNetworkActions(network)
  return (
    <div className="mt-2 flex flex-wrap items-center gap-2">
      <PutRightButton network={network} />
      <Button size="small" disabledReason={changeReason} onClick={() => setTaking(true)}>
        Take over…
      </Button>
      <span className="text-small text-text-3">
        Put right writes all policies of {network.name} again. Take over records what {policy.clusterTitle}{' '}
        has.
      </span>
      <Suspense fallback={null}>
        {isTaking ? (
          <TakeOverDialog network={network} policy={policy} onClose={() => setTaking(false)} />
        ) : null}
      </Suspense>
    </div>
  )
}

function PutRightButton({ network }: { network: Network }) {
  const { apply } = useNetworkActions(network)
  return (
    <Button
      size="small"
      icon={<RotateCw size={14} aria-hidden />}
      busy={apply.isRunning}
      disabledReason={apply.disabledReason}
      onClick={apply.run}
    >
      Put right
    </Button>
  )
}
