import { type HeldAddress, objectPath } from '@bey/contract'
import { parseAddress, parseRange, rangeOf, usableAddresses } from '@bey/contract/networks/ranges'
import { useState } from 'react'
import type { Network } from '../../data/networks.ts'
import { useRead } from '../../data/use-read.ts'
import { failureOf } from '../../lib/failed-query.ts'
import { formatCount, formatNumber, formatPercent } from '../../lib/format.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Input } from '../../ui/input.tsx'
import { Link } from '../../ui/link.tsx'
import { Section } from '../../ui/section.tsx'
import { AddressMap } from './address-map.tsx'
import { addressCells, heldIn } from './address-cells.ts'

/** More than this is looked for by its address. */
const maxListed = 100
const fullFrom = 0.9

/** Who holds which addresses, drawn and listed. */
export function AddressesTab({ network }: { network: Network }) {
  const query = useRead(
    'networks.addresses',
    { params: { id: network.id }, query: {} },
    { refreshMs: 30_000 },
  )
  const [search, setSearch] = useState('')
  const [cell, setCell] = useState<number>()
  const failure = failureOf('Failed to read who holds which addresses', query)
  const addresses = query.data?.addresses ?? []
  if (failure) return <ErrorState {...failure} />
  const shown = chosenOf(network, addresses, search, cell)
  return (
    <div className="grid items-start gap-x-8 gap-y-8 px-(--gutter) py-5 lg:grid-cols-[minmax(0,1fr)_24rem]">
      <Section title="Address space" aside={spaceText(network)}>
        <AddressMap
          network={network}
          addresses={addresses}
          chosen={search === '' ? cell : undefined}
          onChoose={(at) => {
            setSearch('')
            setCell(at === cell ? undefined : at)
          }}
        />
        {(query.data?.unread ?? []).map(({ clusterId, title, reason }) => (
          <p key={clusterId} className="mt-3 text-small text-warn">
            What {title} holds is not shown. {reason}
          </p>
        ))}
      </Section>
      <div className="flex min-w-0 flex-col gap-8">
        <Subnets network={network} addresses={addresses} />
        <Section
          title="Who holds it"
          aside={query.data && formatCount(query.data.total, 'address', 'addresses')}
        >
          <Input
            aria-label="Address or name"
            placeholder="An address, or a name"
            value={search}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => setSearch(event.target.value)}
          />
          <Holders
            addresses={shown}
            total={addresses.length}
            isRead={query.data !== undefined}
            isWhole={query.data?.unread.length === 0}
          />
        </Section>
        <Attached network={network} />
      </div>
    </div>
  )
}

const kinds = { cluster: 'cluster', namespace: 'namespace', database: 'database' } as const
const mostAttached = 10

/** What takes part in it, each with its page. */
function Attached({ network: { attachments } }: { network: Network }) {
  const rest = attachments.length - mostAttached
  return (
    <Section title="Attached" aside={attachments.length}>
      {attachments.length === 0 ? (
        <p className="text-text-2">Nothing yet. Attach clusters, namespaces and databases in the settings.</p>
      ) : (
        <ul className="divide-y divide-line border-y border-line">
          {attachments.slice(0, mostAttached).map((each) => (
            <li
              key={`${each.kind} ${each.clusterId} ${each.namespace} ${each.databaseId}`}
              className="flex h-8 items-center gap-3"
            >
              <Link
                href={attachedHref(each)}
                className="min-w-0 flex-1 truncate font-medium hover:underline"
                title={each.namespace ?? each.name}
              >
                {each.namespace ?? each.name}
              </Link>
              <span className="shrink-0 text-small text-text-3">
                {kinds[each.kind]}
                {each.kind === 'namespace' && each.clusterTitle ? `, ${each.clusterTitle}` : ''}
              </span>
            </li>
          ))}
        </ul>
      )}
      {rest > 0 ? <p className="mt-2 text-small text-text-3">and {rest} more, in the settings</p> : null}
    </Section>
  )
}

function attachedHref({ kind, clusterId, namespace, databaseId }: Network['attachments'][number]): string {
  if (kind === 'database') return `/databases/${databaseId}`
  if (kind === 'cluster' || clusterId === null) return `/kubernetes/clusters/${clusterId}`
  return objectPath({ clusterId, resource: 'namespaces', namespace: '', name: namespace ?? '' })
}

function Subnets({ network, addresses }: { network: Network; addresses: readonly HeldAddress[] }) {
  const { subnets } = network
  return (
    <Section title="Subnets" aside={subnets.length}>
      {subnets.length === 0 ? (
        <p className="text-text-2">None yet: the whole range is one part. Add subnets in the settings.</p>
      ) : (
        <ul className="divide-y divide-line border-y border-line">
          {subnets.map(({ name, cidr }) => {
            const range = parseRange(cidr)
            const share = 'problem' in range ? 0 : heldIn(cidr, addresses) / Number(usableAddresses(range))
            const isFull = share >= fullFrom
            return (
              <li key={cidr} className="flex h-8 items-center gap-3">
                <span className="min-w-0 flex-1 truncate font-medium" title={name}>
                  {name}
                </span>
                <code className="text-small text-text-2">{cidr}</code>
                <span className="h-1.5 w-12 rounded-full bg-sunken" aria-hidden>
                  <span
                    className={`block h-full rounded-full ${isFull ? 'bg-warn' : 'bg-text-3'}`}
                    style={{ width: `${Math.min(100, share * 100)}%` }}
                  />
                </span>
                <span className={`w-11 text-right tabular-nums ${isFull ? 'text-warn' : ''}`}>
                  {formatPercent(share)}
                </span>
              </li>
            )
          })}
        </ul>
      )}
    </Section>
  )
}

const kindText = {
  node: 'node',
  pod: 'pod',
  service: 'service',
  load_balancer: 'load balancer',
  database: 'database',
} as const

function Holders({
  addresses,
  total,
  isRead,
  isWhole,
}: {
  addresses: readonly HeldAddress[]
  total: number
  isRead: boolean
  /** Whether all clusters were read. */
  isWhole: boolean
}) {
  if (!isRead) return <p className="mt-3 text-text-3">The clusters are asked…</p>
  if (addresses.length === 0) {
    return <p className="mt-3 text-text-2">{emptyText(total, isWhole)}</p>
  }
  return (
    <>
      <ul className="mt-2 divide-y divide-line border-b border-line">
        {addresses.slice(0, maxListed).map(({ address, kind, name, namespace, clusterTitle, href }) => (
          <li key={`${address} ${kind} ${href}`} className="flex min-h-8 items-center gap-3 py-1">
            <code className="shrink-0 text-small">{address}</code>
            <Link
              href={href}
              className="min-w-0 flex-1 truncate text-right font-medium hover:underline"
              title={name}
            >
              {name}
            </Link>
            <span className="shrink-0 text-small text-text-3" title={clusterTitle ?? undefined}>
              {kindText[kind]}
              {namespace === null ? '' : `, ${namespace}`}
            </span>
          </li>
        ))}
      </ul>
      {addresses.length > maxListed ? (
        <p className="mt-2 text-small text-text-3">
          The first {maxListed} of {formatNumber(addresses.length)}: type an address or a name.
        </p>
      ) : null}
    </>
  )
}

function emptyText(total: number, isWhole: boolean): string {
  if (!isWhole) return 'None that is known: not all clusters could be read.'
  return total === 0
    ? 'Nothing that is attached has an address of these ranges.'
    : 'Nothing has an address there.'
}

function chosenOf(
  { cidr, subnets }: Network,
  addresses: readonly HeldAddress[],
  search: string,
  cell: number | undefined,
): readonly HeldAddress[] {
  const text = search.trim().toLowerCase()
  if (text !== '') {
    return addresses.filter(
      ({ address, name }) => address.startsWith(text) || name.toLowerCase().includes(text),
    )
  }
  if (cell === undefined) return addresses
  const { cells, size } = addressCells(cidr, subnets, [])
  const first = cells[cell]?.first
  if (first === undefined) return addresses
  const { family } = rangeOf(cidr)
  return addresses.filter((each) => {
    const address = parseAddress(each.address)
    return address?.family === family && address.value >= first && address.value < first + size
  })
}

function spaceText({ cidr, subnets }: Network): string {
  const { size } = addressCells(cidr, subnets, [])
  return `a cell for ${formatCount(Number(size), 'address', 'addresses')}`
}
