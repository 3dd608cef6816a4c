import { deniedReason, networkCan } from '@bey/contract'
import { coveredBy, portsText } from '@bey/contract/networks/security-group-rules'
import { Plus } from 'lucide-react'
import type { Network, SecurityGroup } from '../../../data/networks.ts'
import { useRole } from '../../../data/session.ts'
import { useRead } from '../../../data/use-read.ts'
import { failureOf } from '../../../lib/failed-query.ts'
import { formatCount } from '../../../lib/format.ts'
import { Badge } from '../../../ui/badge.tsx'
import { ButtonLink } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Link } from '../../../ui/link.tsx'
import { DelayedSkeleton, Skeleton } from '../../../ui/skeleton.tsx'
import { labelsText } from './label-text.ts'
import { peerText } from './peer-text.ts'
import { useDatabaseNames } from './use-database-names.ts'

const maxRules = 6

/** The security groups of a network, with what each lets in and where it is put. */
export function GroupsTab({ network }: { network: Network }) {
  const query = useRead('securityGroups.list', { params: { id: network.id } })
  const databases = useDatabaseNames()
  const failure = failureOf('Failed to fetch the security groups', query)
  if (failure) return <ErrorState {...failure} />
  if (query.data === undefined) {
    return (
      <DelayedSkeleton>
        <Skeleton className="m-(--gutter) h-40" />
      </DelayedSkeleton>
    )
  }
  const { groups } = query.data
  if (groups.length === 0) {
    return (
      <EmptyState
        title="No security group yet"
        description="A security group says who enters the pods that it is put on, and whom they may call. Bey keeps it as network policies in the clusters."
        action={<CreateLink network={network} />}
      />
    )
  }
  return (
    <>
      <div className="flex items-center justify-between gap-4 border-b border-line px-(--gutter) py-2">
        <span className="text-text-2">{formatCount(groups.length, 'group')}</span>
        <CreateLink network={network} />
      </div>
      <ul className="divide-y divide-line border-b border-line">
        {groups.map((group) => (
          <Group key={group.id} group={group} groups={groups} databases={databases} />
        ))}
      </ul>
    </>
  )
}

function Group({
  group,
  groups,
  databases,
}: {
  group: SecurityGroup
  groups: readonly SecurityGroup[]
  databases: ReturnType<typeof useDatabaseNames>
}) {
  const { id, networkId, name, description, rules, targets } = group
  const covered = coveredBy(rules).filter((by) => by !== undefined).length
  return (
    <li className="grid gap-x-8 gap-y-2 px-(--gutter) py-3 md:grid-cols-[16rem_minmax(0,1fr)_16rem]">
      <div className="min-w-0">
        <Link
          href={`/networking/${networkId}/groups/${id}`}
          className="block truncate font-medium hover:underline"
          title={name}
        >
          {name}
        </Link>
        {description === '' ? null : <p className="truncate text-small text-text-3">{description}</p>}
        {covered === 0 ? null : <Badge>{formatCount(covered, 'rule')} covered by others</Badge>}
      </div>
      <ul className="min-w-0">
        {rules.slice(0, maxRules).map((rule, at) => (
          <li key={at} className="truncate">
            <span className="text-text-3">{rule.direction === 'in' ? 'in' : 'out'}</span> {portsText(rule)}{' '}
            <span className="text-text-3">{rule.direction === 'in' ? 'from' : 'to'}</span>{' '}
            {peerText(rule.peer, groups, databases)}
          </li>
        ))}
        {rules.length > maxRules ? <li className="text-text-3">and {rules.length - maxRules} more</li> : null}
        {rules.length === 0 ? <li className="text-text-2">{closedText(group)}</li> : null}
      </ul>
      <ul className="min-w-0 text-text-2">
        {targets.map((target, at) => (
          <li key={at} className="truncate">
            {target.namespace}
            {labelsText(target.labels) === '' ? ', all pods' : `, ${labelsText(target.labels)}`}
          </li>
        ))}
        {targets.length === 0 ? <li className="text-text-3">on nothing yet</li> : null}
      </ul>
    </li>
  )
}

function closedText({ filtersIn, filtersOut }: SecurityGroup): string {
  if (filtersIn && filtersOut) return 'Nothing comes in or goes out.'
  if (filtersIn) return 'Nothing comes in.'
  return filtersOut ? 'Nothing goes out.' : 'Everything is open.'
}

function CreateLink({ network }: { network: Network }) {
  return (
    <ButtonLink
      href={`/networking/${network.id}/groups/create`}
      icon={<Plus size={14} aria-hidden />}
      disabledReason={deniedReason(useRole(), 'networks.update') ?? networkCan.change(network)}
    >
      Create group
    </ButtonLink>
  )
}
