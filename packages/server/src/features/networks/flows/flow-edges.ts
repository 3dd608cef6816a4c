import type { FlowMap, FlowState } from '@bey/contract'
import { flowMapLimits as limits, flowStates } from '@bey/contract/networks/flows'
import type { CompiledPolicies } from '@bey/contract/reachability/compile'
import { columnsOf, type Group } from '@bey/contract/reachability/group'
import { cellAt, type CellState, matrixOf } from '@bey/contract/reachability/matrix'
import type { PortNumber } from '@bey/contract/reachability/snapshot'
import type { FlowLog } from '../observed/flow-log.ts'
import { type Grouping, nodeIdOf } from './flow-nodes.ts'

type FlowPort = PortNumber & { policy: CellState }
/** What policies say of the way between two nodes, port by port. */
type PolicyPath = { from: Group; to: Group; ports: FlowPort[] }
type Seen = { passed: number; dropped: number; lastSeenAtMs: number; ports: Map<string, PortNumber> }
type Edge = FlowMap['edges'][number] & { from: string; to: string }

/** What policies say of every way between the nodes of a map, by the ids of both. */
export type PolicyPaths = ReadonlyMap<string, PolicyPath>

const pathKey = (from: string, to: string): string => `${from} ${to}`

/** Asks about every node and every known port of every node. */
export function policyPathsOf(compiled: CompiledPolicies, groups: readonly Group[]): PolicyPaths {
  const columns = columnsOf(compiled, groups)
  const matrix = matrixOf(compiled, groups, columns)
  const paths = new Map<string, PolicyPath>()
  for (const [row, from] of groups.entries())
    for (const [column, { group: to, port }] of columns.entries()) {
      // What goes from outside to outside never meets the cluster.
      if (from.endpoint.kind === 'address' && to.endpoint.kind === 'address') continue
      const key = pathKey(from.id, to.id)
      const path = paths.get(key) ?? { from, to, ports: [] }
      paths.set(key, path)
      path.ports.push({ ...port, policy: cellAt(matrix, row, column) })
    }
  return paths
}

/** Observed connections by the ids of both nodes, and how many belong to no node of the map. */
export function seenBetween(
  log: FlowLog,
  groups: readonly Group[],
  grouping: Grouping,
): { seen: Map<string, Seen>; unplaced: number } {
  const seen = new Map<string, Seen>()
  if (log.source === null) return { seen, unplaced: 0 }
  const ids = new Set(groups.map(({ id }) => id))
  let unplaced = 0
  for (const { from, to, port, count, lastSeenAtMs, isDropped } of log.flows) {
    const [source, target] = [nodeIdOf(from, grouping), nodeIdOf(to, grouping)]
    if (!ids.has(source) || !ids.has(target)) {
      unplaced += count
      continue
    }
    const key = pathKey(source, target)
    const known = seen.get(key) ?? { passed: 0, dropped: 0, lastSeenAtMs: 0, ports: new Map() }
    seen.set(key, known)
    if (isDropped) known.dropped += count
    else known.passed += count
    known.lastSeenAtMs = Math.max(known.lastSeenAtMs, lastSeenAtMs)
    known.ports.set(portKey(port), port)
  }
  return { seen, unplaced }
}

const portKey = ({ protocol, port }: PortNumber) => `${protocol}/${port}`

type Asked = { namespace?: string | undefined; state?: FlowState | undefined; port?: number | undefined }

/**
 * The edges of a map: those that connections were observed on first, as many as the bound lets in, with the counts of all.
 * `isKnown` false: what policies say is not known as of now.
 */
export function edgesOf(
  paths: PolicyPaths,
  seen: ReadonlyMap<string, Seen>,
  asked: Asked,
  { isKnown, isObserved, idOf }: { isKnown: boolean; isObserved: boolean; idOf: (group: Group) => string },
): Pick<FlowMap, 'edges' | 'counts' | 'refusedConnections'> {
  const counts = { used: 0, refused: 0, unused: 0, denied: 0, unknown: 0 }
  const found: { edge: Edge; weight: number }[] = []
  let refusedConnections = 0
  for (const [key, path] of paths) {
    if (asked.namespace !== undefined && !isOf(path.from, asked.namespace) && !isOf(path.to, asked.namespace))
      continue
    const own = seen.get(key)
    const ports = portsOf(path, own).filter(({ port }) => asked.port === undefined || port === asked.port)
    if (ports.length === 0) continue
    const isSeen =
      own !== undefined &&
      (asked.port === undefined || [...own.ports.values()].some(({ port }) => port === asked.port))
    const known = policyOf(ports)
    // Nothing is drawn between nodes of which the last that was known is that they are closed.
    if (!isKnown && known === 'closed' && !isSeen) continue
    const policy = isKnown ? known : 'unknown'
    const state = stateOf(policy, isSeen ? own : undefined)
    counts[state] += 1
    if (isSeen) refusedConnections += own.dropped
    if (asked.state === undefined ? state === 'denied' : state !== asked.state) continue
    const shown = isKnown ? ports : ports.map((port) => ({ ...port, policy: 'unknown' as const }))
    found.push({
      weight: isSeen ? own.passed + own.dropped : 0,
      edge: {
        from: idOf(path.from),
        to: idOf(path.to),
        state,
        policy,
        ports: shown.slice(0, limits.ports),
        portCount: ports.length,
        observed: isObserved
          ? {
              passed: isSeen ? own.passed : 0,
              dropped: isSeen ? own.dropped : 0,
              lastSeenAt: isSeen ? new Date(own.lastSeenAtMs).toISOString() : null,
            }
          : null,
      },
    })
  }
  const rank = (state: FlowState) => flowStates.indexOf(state)
  const edges = found
    .toSorted((a, b) => rank(a.edge.state) - rank(b.edge.state) || b.weight - a.weight)
    .slice(0, limits.edges)
    .map(({ edge }) => edge)
  return { edges, counts, refusedConnections }
}

const isOf = ({ endpoint, namespace }: Group, name: string) =>
  namespace === name || (endpoint.kind === 'namespace' && endpoint.name === name)

/** Ports that were used first, then those that are open; ports that nobody declares but that were tried as well. */
function portsOf({ ports }: PolicyPath, own: Seen | undefined): FlowPort[] {
  const rest = ports.find(({ port }) => port === 0)?.policy ?? 'unknown'
  const declared = new Set(ports.map(portKey))
  const tried = [...(own?.ports.values() ?? [])]
    .filter((port) => !declared.has(portKey(port)))
    .map((port) => ({ ...port, policy: rest }))
  const order = ({ policy, ...port }: FlowPort) =>
    own?.ports.has(portKey(port)) ? 0 : policy === 'open' ? 1 : policy === 'partly' ? 2 : 3
  return [...ports, ...tried].toSorted((a, b) => order(a) - order(b))
}

function policyOf(ports: readonly FlowPort[]): CellState {
  const states = new Set(ports.map(({ policy }) => policy))
  const [only] = states
  if (states.size === 1 && only !== undefined) return only
  return states.has('open') || states.has('partly') ? 'partly' : 'unknown'
}

function stateOf(policy: CellState, seen: Seen | undefined): FlowState {
  if (seen !== undefined && seen.passed > 0) return 'used'
  if (seen !== undefined && seen.dropped > 0) return 'refused'
  if (policy === 'unknown') return 'unknown'
  return policy === 'closed' ? 'denied' : 'unused'
}
