import type { Cluster, ObjectRelation, RelatedObject } from '@bey/contract'
import { objectPath } from '@bey/contract'
import { useState } from 'react'
import type { useRelated } from '../../data/kubernetes.ts'
import { HealthStatus } from '../../entities/health/health-status.tsx'
import { failureOf } from '../../lib/failed-query.ts'
import { formatCount, formatNumber } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Link } from '../../ui/link.tsx'
import { Section } from '../../ui/section.tsx'
import { DelayedSkeleton, Skeleton } from '../../ui/skeleton.tsx'
import { Status } from '../../ui/status.tsx'

/** Read from the object whose page it is: "Uses", then what it uses. */
const relationWords: Record<ObjectRelation, string> = {
  runs_on: 'Runs on',
  runs: 'Runs',
  uses: 'Uses',
  used_by: 'Used by',
  bound_to: 'Bound to',
  selects: 'Selects',
  selected_by: 'Selected by',
  endpoints: 'Endpoints',
  endpoints_of: 'Endpoints of',
  routes_to: 'Routes to',
  routed_by: 'Reached through',
  scales: 'Scales',
  scaled_by: 'Scaled by',
  protected_by: 'Protected by',
  limited_by: 'Limited by',
  grants: 'Gives',
  grants_to: 'Gives to',
  granted_by: 'Given by',
  calls: 'Calls',
  revision: 'Revisions',
}

/** Of each relation; the rest is shown when it is asked for. */
const firstShown = 6

/** What the object refers to and what refers to it, each with a link; what is missing is marked. */
export function RelatedObjects({
  cluster,
  query,
  without,
}: {
  cluster: Cluster
  /** Relations that the page shows elsewhere. */
  without?: ReadonlySet<string>
  query: ReturnType<typeof useRelated>
}) {
  const failure = failureOf('Failed to read what is related', query)
  const { data } = query
  if (failure) {
    return (
      <Section title="Related">
        <ErrorState {...failure} isCompact />
      </Section>
    )
  }
  if (!data) {
    return (
      <Section title="Related">
        <DelayedSkeleton>
          <Skeleton className="h-24" />
        </DelayedSkeleton>
      </Section>
    )
  }
  const shown = without ? data.related.filter(({ relation }) => !without.has(relation)) : data.related
  if (shown.length === 0 && data.unreadable.length === 0) return null
  const groups = Map.groupBy(shown, ({ relation }) => relation)
  return (
    <Section title="Related">
      <div className="grid gap-4">
        {[...groups].map(([relation, found]) => (
          <RelationGroup key={relation} relation={relation} found={found} clusterId={cluster.id} />
        ))}
        {data.relatedTotal > data.related.length ? (
          <p className="text-small text-text-2">
            {formatNumber(data.related.length)} of {formatNumber(data.relatedTotal)} are shown.
          </p>
        ) : null}
        {data.cutLists.length > 0 ? (
          <p className="text-small text-text-2">
            Only the first 500 were searched of: {data.cutLists.join(', ')}.
          </p>
        ) : null}
        {data.unreadable.map(({ resource, reason }) => (
          <p key={resource} className="text-small text-text-2">
            {resource} could not be read: {reason}
          </p>
        ))}
      </div>
    </Section>
  )
}

function RelationGroup({
  relation,
  found,
  clusterId,
}: {
  relation: ObjectRelation
  found: readonly RelatedObject[]
  clusterId: number
}) {
  const [isOpen, setOpen] = useState(false)
  const sorted = found.toSorted((a, b) => Number(b.isMissing) - Number(a.isMissing))
  const shown = isOpen ? sorted : sorted.slice(0, firstShown)
  const rest = sorted.length - shown.length
  return (
    <div>
      <h3 className="mb-1 text-small text-text-2">{relationWords[relation]}</h3>
      <ul className="divide-y divide-line border-y border-line">
        {shown.map((each) => (
          <li
            key={`${each.kind} ${each.namespace}/${each.name}`}
            className="flex flex-wrap items-baseline justify-between gap-x-3 gap-y-0.5 py-1.5"
          >
            <RelatedLink related={each} clusterId={clusterId} />
            <RelatedState related={each} />
          </li>
        ))}
      </ul>
      {rest > 0 ? (
        <Button size="small" variant="ghost" className="mt-1" onClick={() => setOpen(true)}>
          {`Show ${formatCount(rest, 'more', 'more')}`}
        </Button>
      ) : null}
    </div>
  )
}

function RelatedLink({ related, clusterId }: { related: RelatedObject; clusterId: number }) {
  const { resource, kind, namespace, name, isMissing } = related
  return (
    <span className="min-w-0 break-all">
      {resource === null || isMissing ? (
        <span className="font-medium">{name}</span>
      ) : (
        <Link
          href={objectPath({ clusterId, resource, namespace, name })}
          className="rounded-badge font-medium hover:text-accent-text hover:underline"
        >
          {name}
        </Link>
      )}{' '}
      <span className="text-text-2">{kind}</span>
    </span>
  )
}

function RelatedState({ related: { health, detail, isMissing } }: { related: RelatedObject }) {
  if (isMissing) return <Status status="failing" label="missing" />
  const hasTrouble = health !== null && health.state !== 'healthy'
  return (
    <span className="min-w-0 text-small break-words text-text-2">
      {hasTrouble ? <HealthStatus health={health} /> : detail}
    </span>
  )
}
