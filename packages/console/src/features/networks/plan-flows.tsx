import type { CallOutput, PlannedPolicy } from '@bey/contract'
import { useQuery } from '@tanstack/react-query'
import { apiPath } from '../../data/api-query.ts'
import { useOrganizationId } from '../../data/session.ts'
import { api } from '../../lib/api.ts'
import { causeOf } from '../../lib/error-text.ts'
import { formatCount } from '../../lib/format.ts'
import { cx } from '../../ui/class-names.ts'
import { RelativeTime } from '../../ui/relative-time.tsx'

type WhatIf = CallOutput<'networks.reachability.whatIf'>
type Flow = WhatIf['ends'][number]

/** So many policies one question can be about. */
const maxChanges = 50
const maxShown = 8

type ChangedPolicy = Pick<
  PlannedPolicy,
  'clusterId' | 'clusterTitle' | 'kind' | 'namespace' | 'name' | 'spec'
>

/** Which flows end and begin in one cluster where its policies become these, before that is done. */
export function PlanFlows({ policies }: { policies: readonly ChangedPolicy[] }) {
  const organizationId = useOrganizationId()
  const [first] = policies
  const clusterId = first?.clusterId ?? 0
  const changes = policies.map(({ kind, namespace, name, spec }) => ({ kind, namespace, name, spec }))
  const params = { id: clusterId }
  const query = useQuery({
    queryKey: [apiPath('networks.reachability.whatIf', params), organizationId, changes],
    queryFn: ({ signal }) =>
      api.call('networks.reachability.whatIf', { params, body: { changes } }, { signal }),
    enabled: changes.length > 0 && changes.length <= maxChanges,
    retry: false,
  })
  if (changes.length > maxChanges) {
    return (
      <p className="text-small text-text-3">
        Which flows {changes.length} policies end at once is not worked out: a question can be about{' '}
        {maxChanges}.
      </p>
    )
  }
  if (query.error) {
    return (
      <p className="text-small text-text-3">Which flows that ends is not known: {causeOf(query.error)}</p>
    )
  }
  if (query.data === undefined) return <p className="text-small text-text-3">Its flows are worked out…</p>
  const { sentence, ends, endCount, begins, beginCount } = query.data
  return (
    <div aria-live="polite">
      <p className={cx('font-medium', endCount > 0 && 'text-danger')}>
        {first?.clusterTitle}: {sentence}
      </p>
      <EndingFlows flows={ends} count={endCount} />
      <Flows flows={begins} count={beginCount} sign="+" tone="text-text-2" />
    </div>
  )
}

/** Flows that were seen each by name; those that are open and unused only when they are asked for. */
function EndingFlows({ flows, count }: { flows: readonly Flow[]; count: number }) {
  const seen = flows.filter(({ observed }) => observed !== null)
  const rest = flows.filter(({ observed }) => observed === null)
  if (seen.length === 0) return <Flows flows={rest} count={count} sign="−" tone="text-danger" />
  return (
    <>
      <Flows flows={seen} count={seen.length} sign="−" tone="text-danger" />
      {rest.length === 0 ? null : (
        <details className="mt-1 text-small text-text-2">
          <summary className="cursor-pointer">
            {formatCount(count - seen.length, 'flow')} without a connection so far would close too
          </summary>
          <Flows flows={rest} count={count - seen.length} sign="−" tone="text-text-2" />
        </details>
      )}
    </>
  )
}

function Flows({
  flows,
  count,
  sign,
  tone,
}: {
  flows: readonly Flow[]
  count: number
  sign: string
  tone: string
}) {
  if (count === 0) return null
  return (
    <ul className={cx('mt-1 text-small', tone)}>
      {flows.slice(0, maxShown).map(({ from, to, port, protocol, observed }) => (
        <li key={`${from.id} ${to.id} ${port} ${protocol}`} className="break-words">
          {sign} {nameOf(from)} → {nameOf(to)}, {protocol} {port === 0 ? 'other ports' : port}
          {observed === null ? null : (
            <span className="block pl-3 text-text-2">
              {formatCount(observed.count, 'connection')}
              {observed.lastSeenAt === null ? null : (
                <>
                  , the last <RelativeTime at={observed.lastSeenAt} />
                </>
              )}
            </span>
          )}
        </li>
      ))}
      {count > maxShown ? <li className="text-text-3">and {count - maxShown} more</li> : null}
    </ul>
  )
}

const nameOf = ({ name, namespace }: Flow['from']): string =>
  namespace === null ? name : `${namespace}/${name}`
