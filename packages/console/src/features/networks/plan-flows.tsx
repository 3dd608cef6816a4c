import type { CallOutput, PlannedPolicy } from '@bey/contract'
import { useQuery } from '@tanstack/react-query'
import { apiPath } from '../../data/api-query.ts'
import { useOrganizationId } from '../../data/session.ts'
import { api } from '../../lib/api.ts'
import { causeOf } from '../../lib/error-text.ts'
import { cx } from '../../ui/class-names.ts'

type WhatIf = CallOutput<'networks.reachability.whatIf'>
type Flow = WhatIf['ends'][number]

/** So many policies one question can be about. */
const maxChanges = 50
const maxShown = 8

/** Which flows the policies of a plan would end and begin in one cluster, before they are saved. */
export function PlanFlows({ policies }: { policies: readonly PlannedPolicy[] }) {
  const organizationId = useOrganizationId()
  const [first] = policies
  const clusterId = first?.clusterId ?? 0
  const changes = policies.map(({ namespace, name, spec }) => ({ namespace, name, spec }))
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
      <Flows flows={ends} count={endCount} sign="−" tone="text-danger" />
      <Flows flows={begins} count={beginCount} sign="+" tone="text-text-2" />
    </div>
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
      {flows.slice(0, maxShown).map(({ from, to, port, protocol }) => (
        <li key={`${from.id} ${to.id} ${port} ${protocol}`} className="truncate">
          {sign} {nameOf(from)} → {nameOf(to)}, {protocol} {port === 0 ? 'other ports' : port}
        </li>
      ))}
      {count > maxShown ? <li className="text-text-3">and {count - maxShown} more</li> : null}
    </ul>
  )
}

const nameOf = ({ name, namespace }: Flow['from']): string =>
  namespace === null ? name : `${namespace}/${name}`
