import type { FlowMap } from '@bey/contract'
import { X } from 'lucide-react'
import { formatCount, formatNumber } from '../../../lib/format.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import { cx } from '../../../ui/class-names.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Link } from '../../../ui/link.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { Section } from '../../../ui/section.tsx'
import { edgeLabel, nodeText, portsText, portText, wayHref } from './flow-text.ts'

/** What of a map is looked at. */
export type FlowSelection =
  | { kind: 'node'; id: string }
  | { kind: 'edge'; from: string; to: string }
  | undefined

type Edge = FlowMap['edges'][number]
type Props = { map: FlowMap; clusterId: number; onSelect: (selection: FlowSelection) => void }

const mostListed = 12

/** What is selected in a map, or else who is refused and what could be closed. */
export function FlowPanel({ selection, ...props }: Props & { selection: FlowSelection }) {
  const { map } = props
  if (selection?.kind === 'node') return <NodePanel id={selection.id} {...props} />
  const edge = selection && map.edges.find(({ from, to }) => from === selection.from && to === selection.to)
  return edge ? <EdgePanel edge={edge} {...props} /> : <Overview {...props} />
}

function Overview({ map, ...props }: Props) {
  const refused = map.edges.filter(({ state }) => state === 'refused')
  const unused = map.edges.filter(({ state, observed }) => state === 'unused' && observed !== null)
  return (
    <>
      {refused.length === 0 ? null : (
        <Section title="Refused" aside={formatCount(refused.length, 'way')}>
          <EdgeList edges={refused} map={map} {...props} />
        </Section>
      )}
      {unused.length === 0 ? null : (
        <Section title="Could be closed" aside={formatCount(unused.length, 'opening')}>
          <EdgeList edges={unused} map={map} {...props} />
        </Section>
      )}
      {map.notObserved === null ? null : (
        <Section title="Connections are not observed">
          <p className="text-text-2">
            {map.notObserved} The map shows what the policies allow; what is used is not known.
          </p>
        </Section>
      )}
      {map.incomplete === null ? null : (
        <Section title="Not all connections are counted">
          <p className="text-text-2">{map.incomplete}</p>
        </Section>
      )}
      <p className="text-small text-text-3">
        Choose a namespace, a workload or a way. The plus beside a namespace shows its workloads.
      </p>
    </>
  )
}

function NodePanel({ id, map, onSelect, ...props }: Props & { id: string }) {
  const name = nodeText(
    map.nodes.find((node) => node.id === id),
    id,
  )
  const [from, to] = [
    map.edges.filter((edge) => edge.from === id),
    map.edges.filter((edge) => edge.to === id && edge.from !== id),
  ]
  return (
    <>
      <PanelHead title={name} onClose={() => onSelect(undefined)} />
      <Section title="It calls" aside={formatCount(from.length, 'way')}>
        <EdgeList edges={from} map={map} onSelect={onSelect} {...props} />
      </Section>
      <Section title="It is called by" aside={formatCount(to.length, 'way')}>
        <EdgeList edges={to} map={map} onSelect={onSelect} {...props} />
      </Section>
    </>
  )
}

const policyText = {
  open: 'The policies let every port of it through.',
  closed: 'The policies close every port of it.',
  partly: 'The policies let a part of it through.',
  unknown: 'What the policies say of it is not known.',
} as const

function EdgePanel({ edge, map, clusterId, onSelect }: Props & { edge: Edge }) {
  const { from, to, state, policy, ports, portCount, observed } = edge
  const [source, target] = [from, to].map((id) =>
    nodeText(
      map.nodes.find((node) => node.id === id),
      id,
    ),
  )
  return (
    <>
      <PanelHead title={`${source} → ${target}`} onClose={() => onSelect(undefined)} />
      <div>
        <p className={cx('font-medium', state === 'refused' && 'text-danger')}>{edgeLabel(edge)}</p>
        {observed === null ? (
          <p className="text-text-2">Connections are not observed here.</p>
        ) : observed.lastSeenAt === null ? (
          <p className="text-text-2">No connection was observed.</p>
        ) : (
          <p className="text-text-2">
            {formatCount(observed.passed, 'connection')} let through, {formatNumber(observed.dropped)}{' '}
            refused, last <RelativeTime at={observed.lastSeenAt} />.
          </p>
        )}
        <p className="mt-1 text-text-2">{policyText[policy]}</p>
      </div>
      <ButtonLink variant="primary" href={wayHref(clusterId, edge)} className="self-start">
        Show the way
      </ButtonLink>
      <Section title="Ports" aside={formatCount(portCount, 'port')}>
        <ul className="divide-y divide-line border-y border-line">
          {ports.map((port) => (
            <li key={`${port.protocol} ${port.port}`} className="flex h-9 items-center gap-3">
              <Link
                href={wayHref(clusterId, edge, port)}
                className="min-w-0 flex-1 truncate font-medium tabular-nums hover:underline"
              >
                {portText(port)}
              </Link>
              <span className={port.policy === 'closed' ? 'text-danger' : 'text-text-3'}>
                {port.policy === 'unknown' ? 'not known' : port.policy}
              </span>
            </li>
          ))}
        </ul>
      </Section>
    </>
  )
}

function PanelHead({ title, onClose }: { title: string; onClose: () => void }) {
  return (
    <div className="flex items-start justify-between gap-2">
      <h2 className="min-w-0 font-semibold break-words">{title}</h2>
      <IconButton size="small" label="Select nothing" icon={<X size={14} aria-hidden />} onClick={onClose} />
    </div>
  )
}

function EdgeList({ edges, map, onSelect }: Props & { edges: readonly Edge[] }) {
  const name = (id: string) =>
    nodeText(
      map.nodes.find((node) => node.id === id),
      id,
    )
  if (edges.length === 0) return <p className="text-text-3">None.</p>
  return (
    <>
      <ul className="divide-y divide-line border-y border-line">
        {edges.slice(0, mostListed).map((edge) => (
          <li key={`${edge.from} ${edge.to}`}>
            <button
              type="button"
              className="block w-full py-1.5 text-left hover:bg-hover"
              title={`${name(edge.from)} → ${name(edge.to)}`}
              onClick={() => onSelect({ kind: 'edge', from: edge.from, to: edge.to })}
            >
              <span className="block truncate">{name(edge.from)}</span>
              <span className="block truncate">→ {name(edge.to)}</span>
              <span className="flex gap-3 text-small text-text-3">
                <span className="min-w-0 flex-1 truncate">{portsText(edge)}</span>
                <span className={cx('shrink-0', edge.state === 'refused' && 'text-danger')}>
                  {edgeLabel(edge)}
                </span>
              </span>
            </button>
          </li>
        ))}
      </ul>
      {edges.length > mostListed ? (
        <p className="mt-1 text-small text-text-3">and {edges.length - mostListed} more, in the table</p>
      ) : null}
    </>
  )
}
