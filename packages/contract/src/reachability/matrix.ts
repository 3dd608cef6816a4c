import type { CompiledPolicies } from './compile.ts'
import { decide, type GateState } from './decide.ts'
import type { End, Endpoint } from './endpoint.ts'
import { decideFlow, narrowest } from './flow.ts'
import { columnsOf, groupPods, outsideGroup, type Column, type Group } from './group.ts'
import { protocols, type DatabaseFacts, type PortNumber } from './snapshot.ts'
import { translate, type Target } from './translate.ts'

export const cellStates = ['closed', 'open', 'partly', 'unknown'] as const
export type CellState = (typeof cellStates)[number]

/** Who reaches whom. `cells` holds a place in `cellStates` for each row and column, row after row. */
export type Matrix = { rows: readonly Group[]; columns: readonly Column[]; cells: Uint8Array }

export function cellAt({ columns, cells }: Matrix, row: number, column: number): CellState {
  return cellStates[cells[row * columns.length + column] ?? 0] ?? 'unknown'
}

/** Ends that nothing tells apart, as one of them and how many there are. */
type Likes<T> = { one: T; count: number; isHost: boolean }[]

function likesOf<T extends End>(ends: readonly T[], withNode: boolean): Likes<T> {
  const found = new Map<string, { one: T; count: number; isHost: boolean }>()
  for (const one of ends) {
    const { podClass, isNode, node, networks } = one.party
    const isHost = isNode === true || podClass?.hostNetwork === true
    const own = podClass
      ? podClass.id
      : networks.map(({ bits, value, prefix }) => `${bits}/${value}/${prefix}`).join()
    const key = withNode || isHost ? `${own} ${node ?? ''}` : `${own}`
    const known = found.get(key)
    if (known) known.count += 1
    else found.set(key, { one, count: 1, isHost })
  }
  return [...found.values()]
}

/** Asks about flows and remembers the answers for pods that nothing tells apart. */
export function flowAsker(compiled: CompiledPolicies): (from: End, to: Target) => GateState {
  const known = new Map<number, Map<number, GateState>>()
  const count = compiled.classes.list.length
  return (from, to) => {
    const a = from.party.podClass
    const b = to.party.podClass
    if (!a || !b || a.hostNetwork || b.hostNetwork) return decideFlow(compiled, from, to).state
    const port = protocols.indexOf(to.port.protocol) * 65_536 + to.port.port
    const own = known.get(port) ?? new Map<number, GateState>()
    known.set(port, own)
    const key = a.id * count + b.id
    const found = own.get(key)
    if (found) return found
    const leaving = decide(compiled, 'egress', from.party, to.party, to.port).state
    const state =
      leaving === 'closed'
        ? leaving
        : narrowest([leaving, decide(compiled, 'ingress', to.party, from.party, to.port).state])
    own.set(key, state)
    return state
  }
}

type Sides<T> = { byClass: Likes<T>; byNode: Likes<T>; ends: ReadonlySet<unknown>; isHost: boolean }

function sidesOf<T extends End>(ends: readonly T[]): Sides<T> {
  const byClass = likesOf(ends, false)
  const isHost = byClass.some((one) => one.isHost)
  const pods = new Set<unknown>(ends.flatMap(({ pod }) => (pod ? [pod] : [])))
  return { byClass, byNode: likesOf(ends, true), ends: pods, isHost }
}

/** Answers every row against every column. */
export function matrixOf(
  compiled: CompiledPolicies,
  rows: readonly Group[],
  columns: readonly Column[],
  ask = flowAsker(compiled),
): Matrix {
  const cells = new Uint8Array(rows.length * columns.length)
  const sources = rows.map(({ ends }) => sidesOf(ends))
  const targets = columns.map((column) => sidesOf(column.targets))
  for (const [row, source] of sources.entries())
    for (const [column, target] of targets.entries())
      cells[row * columns.length + column] = cellOf(source, target, ask)
  return { rows, columns, cells }
}

function cellOf(
  source: Sides<End>,
  target: Sides<Target>,
  ask: (from: End, to: Target) => GateState,
): number {
  const isHost = source.isHost || target.isHost
  let hasOpen = false
  let hasClosed = false
  let hasUnknown = false
  let isOnlySelf = false
  for (const from of isHost ? source.byNode : source.byClass)
    for (const to of isHost ? target.byNode : target.byClass) {
      const isSelf = from.one.pod !== undefined && from.one.pod === to.one.pod
      // That a pod reaches itself says nothing about the group, unless it is the only one.
      if (isSelf && from.count === 1 && to.count === 1) {
        isOnlySelf = true
        continue
      }
      const state = ask(isSelf ? { party: from.one.party } : from.one, to.one)
      if (state === 'open') hasOpen = true
      else if (state === 'closed') hasClosed = true
      else hasUnknown = true
    }
  if (hasOpen && hasClosed) return cellStates.indexOf('partly')
  if (hasUnknown) return cellStates.indexOf('unknown')
  return cellStates.indexOf(hasOpen || (isOnlySelf && !hasClosed) ? 'open' : 'closed')
}

/** A group that reaches or is reached, and on which port. */
export type Reached = { group: Group; port: PortNumber; state: CellState }

/** Every workload, and the addresses outside, that reach an endpoint on a port, in part at least or perhaps. */
export function whoCanReach(compiled: CompiledPolicies, to: Endpoint, port: PortNumber): Reached[] {
  const { targets, database } = translate(compiled, to, port)
  const outside = outsideGroup(compiled)
  const rows = [...groupPods(compiled, 'workload'), ...(outside ? [outside] : [])]
  if (database?.allowList) return whoIsListed(compiled, rows, targets, port, database)
  const group: Group = { id: 'target', name: 'target', endpoint: to, ends: targets }
  const matrix = matrixOf(compiled, rows, [{ group, port, targets }])
  return rows.flatMap((row, index) => {
    const state = targets.length === 0 ? 'closed' : cellAt(matrix, index, 0)
    return state === 'closed' ? [] : [{ group: row, port, state }]
  })
}

/** The same on every known port of some pods. */
export function whoReaches(compiled: CompiledPolicies, to: Group): Reached[] {
  const outside = outsideGroup(compiled)
  const rows = [...groupPods(compiled, 'workload'), ...(outside ? [outside] : [])].filter(
    // That the pods of a workload reach each other is no news.
    ({ ends }) => ends.length !== 1 || to.ends.length !== 1 || ends[0]?.pod !== to.ends[0]?.pod,
  )
  const columns = columnsOf(compiled, [to])
  const matrix = matrixOf(compiled, rows, columns)
  return rows.flatMap((group, row) =>
    columns.flatMap(({ port }, column) => {
      const state = cellAt(matrix, row, column)
      return state === 'closed' ? [] : [{ group, port, state }]
    }),
  )
}

/** The same for a database with an allow-list, which sees the addresses of single pods or of their nodes. */
function whoIsListed(
  compiled: CompiledPolicies,
  rows: readonly Group[],
  targets: readonly Target[],
  port: PortNumber,
  database: DatabaseFacts,
): Reached[] {
  return rows.flatMap((group) => {
    const states = new Set(
      group.ends.flatMap((from) => targets.map((to) => decideFlow(compiled, from, to, { database }).state)),
    )
    const state = states.has('unknown') ? 'unknown' : states.has('open') ? 'open' : 'closed'
    if (state === 'closed') return []
    return [{ group, port, state: state === 'open' && states.has('closed') ? 'partly' : state }]
  })
}

/** Every workload with the ports that an endpoint reaches of it, and the addresses outside. */
export function whatCanReach(compiled: CompiledPolicies, from: Group): Reached[] {
  const outside = outsideGroup(compiled)
  const columns = columnsOf(compiled, [...groupPods(compiled, 'workload'), ...(outside ? [outside] : [])])
  const matrix = matrixOf(compiled, [from], columns)
  return columns.flatMap(({ group, port }, index) => {
    const state = cellAt(matrix, 0, index)
    return state === 'closed' ? [] : [{ group, port, state }]
  })
}
