import type { FlowMap, FlowState } from '@bey/contract'
import { formatCount, formatNumber } from '../../../lib/format.ts'
import { clockTime, sinceText } from '../../../ui/time-text.ts'

type Edge = FlowMap['edges'][number]
type Node = FlowMap['nodes'][number]

export const stateLabels: Readonly<Record<FlowState, string>> = {
  refused: 'refused',
  used: 'used',
  unused: 'open, unused',
  denied: 'closed',
  unknown: 'not known',
}

/** The word for an edge: without observed connections nothing is called unused. */
export const edgeLabel = ({ state, observed }: Edge): string =>
  state === 'unused' && observed === null ? 'open' : stateLabels[state]

export const nodeText = (node: Node | undefined, id: string): string => {
  if (node === undefined) return id
  return node.kind === 'workload' ? `${node.namespace ?? ''}/${node.name}` : node.name
}

type Port = Edge['ports'][number]
export const portText = ({ port, protocol }: Port): string =>
  port === 0 ? 'other ports' : `${port}${protocol === 'TCP' ? '' : ` ${protocol}`}`

/** `5432, 8080 and 3 more`. */
export function portsText({ ports, portCount }: Edge, most = 3): string {
  const shown = ports.slice(0, most)
  const rest = portCount - shown.length
  return `${shown.map(portText).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}

/** The page that says why an edge is open or closed, gate by gate. */
export function wayHref(clusterId: number, edge: Edge, port: Port | undefined = edge.ports[0]): string {
  const query = new URLSearchParams({
    cluster: String(clusterId),
    from: edge.from,
    to: edge.to,
    port: String(port?.port || 1),
    ...(port === undefined || port.protocol === 'TCP' ? {} : { protocol: port.protocol }),
  })
  return `/networking/reachability?${query.toString()}`
}

/** What the map has to say first: who is refused, or that nobody is. */
export function summaryText({ counts, edges, nodes, observedBy, doubt, ...map }: FlowMap): string {
  if (doubt !== null) return 'Not known as of now'
  const open = counts.used + counts.unused
  if (observedBy === null) {
    return `${formatCount(open, 'way')} open, ${formatNumber(counts.denied)} closed. Connections are not observed here.`
  }
  const used = `${formatCount(counts.used, 'way')} used, ${formatNumber(counts.unused)} open and unused.`
  const refused = edges.filter(({ state }) => state === 'refused')
  const most = refused.toSorted((a, b) => (b.observed?.dropped ?? 0) - (a.observed?.dropped ?? 0))[0]
  // A filter may leave out the ways that were refused; they are counted all the same.
  if (counts.refused === 0) return `${refusedText(map.refusedConnections)} ${used}`
  if (most === undefined) return `${formatCount(counts.refused, 'way')} refused. ${used}`
  const name = (id: string) =>
    nodeText(
      nodes.find((node) => node.id === id),
      id,
    )
  const last = most.observed?.lastSeenAt
  return `${formatCount(counts.refused, 'way')} refused, most often ${name(most.from)} to ${name(most.to)}${
    last ? `, last ${sinceText(last)}` : ''
  }. ${used}`
}

/** Where no way was refused altogether. */
function refusedText(connections: number): string {
  if (connections === 0) return 'No connection was refused.'
  const were = connections === 1 ? 'was' : 'were'
  return `${formatCount(connections, 'connection')} ${were} refused on ways that let others through.`
}

/** Who reports the observed connections, and since when. */
export function observedText({ observedBy, observedSince }: FlowMap): string {
  if (observedBy === null) return ''
  const source = observedBy === 'hubble' ? 'Hubble Relay' : 'the sandbox'
  const since = observedSince === null ? '' : `, counted from ${clockTime(new Date(observedSince))}`
  return ` Connections are reported by ${source}${since}.`
}
