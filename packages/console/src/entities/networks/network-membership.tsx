import type { CallInput, CallOutput } from '@bey/contract'
import { useRead } from '../../data/use-read.ts'
import { absent, formatCount } from '../../lib/format.ts'
import { Link } from '../../ui/link.tsx'
import { networkHref } from './network-text.ts'

type NetworkSubject = NonNullable<CallInput<'networks.memberships'>['query']>
type Membership = CallOutput<'networks.memberships'>['memberships'][number]

/** The networks that a cluster, a namespace or a database takes part in, each a link. */
export function NetworkMembership({ of }: { of: NetworkSubject }) {
  const { data, isError } = useRead('networks.memberships', { query: of })
  if (data === undefined) return isError ? 'could not be read' : absent
  if (data.memberships.length === 0) return 'none'
  return data.memberships.map((membership) => (
    <span key={membership.networkId} className="block">
      <Link
        href={networkHref(membership.networkId)}
        className="text-accent-text hover:underline"
        data-tooltip={membership.cidr}
      >
        {membership.name}
      </Link>
      <span className="block text-small text-text-2">{partText(membership, of)}</span>
    </span>
  ))
}

/** "3 namespaces · front, database": what of it takes part, and the security groups that are put on it. */
function partText({ namespaces, groups }: Membership, of: NetworkSubject): string {
  return [
    ...(isPart(namespaces, of) ? [formatCount(namespaces.length, 'namespace')] : []),
    ...(groups.length === 0 ? [] : [groups.map(({ name }) => name).join(', ')]),
  ].join(' · ')
}

/** Whether only some namespaces of a cluster take part. */
const isPart = (namespaces: string[] | null, of: NetworkSubject): namespaces is string[] =>
  namespaces !== null && namespaces.length > 0 && of.namespace === undefined

/** What a deletion means for networks, a line each; nothing until it is read. */
export function useNetworkImpact(of: NetworkSubject, isEnabled = true): string[] {
  const { data, isError } = useRead('networks.memberships', { query: of }, { isEnabled })
  if (data === undefined) {
    return isError ? ['Networks that it takes part in could not be read'] : []
  }
  return data.memberships.flatMap(({ name, namespaces, groups }) => [
    isPart(namespaces, of)
      ? `${formatCount(namespaces.length, 'namespace')} of the network ${name}`
      : `A part of the network ${name}`,
    ...groups.map((group) => `${formatCount(group.targets, 'target')} of the security group ${group.name}`),
  ])
}
