import type { FlowMap } from '@bey/contract'

type Node = FlowMap['nodes'][number]
type Edge = FlowMap['edges'][number]

/** A namespace, or what is outside, with a row for each of its nodes. Lengths in px before zooming. */
export type FlowBox = {
  key: string
  title: string
  /** Its workloads are rows of their own; otherwise the head is its only node. */
  isOpen: boolean
  nodes: readonly Node[]
  x: number
  y: number
  height: number
}

export type FlowLayout = {
  boxes: readonly FlowBox[]
  /** Where edges end, by the id of the node: the middle of its row, and the place of its box from left to right. */
  anchors: ReadonlyMap<string, { y: number; x: number }>
  width: number
  height: number
}

export const boxWidth = 176
export const headHeight = 32
export const rowHeight = 30
const gapY = 20
const columnGap = 132
const partGap = 72
/** Columns are at least so high before they are split. */
const leastHeight = 620

/**
 * Places namespaces in columns: outside the cluster, those that mostly call others, those that do both, those that are
 * mostly called. The same map always has the same layout. A column that would be far higher than the map is wide is
 * split.
 *
 * Dagre, which lays out workflows, gives a graph where everything reaches everything as many columns as it has nodes,
 * and without policies that is what each cluster looks like.
 */
export function layoutFlows(nodes: readonly Node[], edges: readonly Edge[]): FlowLayout {
  const boxes = boxesOf(nodes)
  const boxOfNode = new Map(boxes.flatMap((box) => box.nodes.map(({ id }) => [id, box.key] as const)))
  const links = linksOf(edges, boxOfNode)
  const columns = columnsOf(boxes, links)
  const total = boxes.reduce((sum, { height }) => sum + height + gapY, 0)
  const most = Math.max(leastHeight, Math.sqrt(total * boxWidth) * 0.95)
  const placed: FlowBox[] = []
  let [x, width, height] = [0, 0, 0]
  for (const column of sorted(columns, links)) {
    const parts = split(column, most)
    for (const [nth, part] of parts.entries()) {
      let y = 0
      for (const box of part) {
        placed.push({ ...box, x, y })
        y += box.height + gapY
      }
      height = Math.max(height, y - gapY)
      width = x + boxWidth
      x += boxWidth + (nth === parts.length - 1 ? columnGap : partGap)
    }
  }
  const anchors = new Map(
    placed.flatMap((box) =>
      box.nodes.map(({ id }, nth) => [
        id,
        { x: box.x, y: box.y + (box.isOpen ? headHeight + rowHeight * (nth + 0.5) : headHeight / 2) },
      ]),
    ),
  )
  return { boxes: placed, anchors, width, height: Math.max(height, headHeight) }
}

type Box = Omit<FlowBox, 'x' | 'y'>

function boxesOf(nodes: readonly Node[]): Box[] {
  const byBox = Map.groupBy(nodes, ({ kind, namespace }) =>
    kind === 'outside' ? 'outside' : `ns ${namespace ?? ''}`,
  )
  return [...byBox].map(([key, own]) => {
    const isOpen = own.some(({ kind }) => kind === 'workload')
    const title = own[0]?.namespace ?? own[0]?.name ?? ''
    return { key, title, isOpen, nodes: own, height: headHeight + (isOpen ? own.length * rowHeight : 0) }
  })
}

/** How much goes from box to box: what was used or refused counts before what is only open. */
type Links = { from: string; to: string; weight: number }[]

function linksOf(edges: readonly Edge[], boxOf: ReadonlyMap<string, string>): Links {
  const sums = new Map<string, Links[number]>()
  for (const { from, to, state } of edges) {
    const [source, target] = [boxOf.get(from), boxOf.get(to)]
    if (source === undefined || target === undefined || source === target || state === 'denied') continue
    const weight = state === 'used' || state === 'refused' ? 1_000 : 1
    const known = sums.get(`${source}\n${target}`)
    if (known) known.weight += weight
    else sums.set(`${source}\n${target}`, { from: source, to: target, weight })
  }
  return [...sums.values()]
}

/** Beyond this share of one direction a namespace counts as one that mostly calls, or is mostly called. */
const lean = 0.3

function columnsOf(boxes: readonly Box[], links: Links): Box[][] {
  const columns: [Box[], Box[], Box[], Box[]] = [[], [], [], []]
  for (const box of boxes) {
    if (box.key === 'outside') {
      columns[0].push(box)
      continue
    }
    let [out, into] = [0, 0]
    for (const { from, to, weight } of links) {
      // What is outside calls nearly everybody, so that it says little of who somebody is.
      if (from === box.key && to !== 'outside') out += weight
      if (to === box.key && from !== 'outside') into += weight
    }
    const balance = out + into === 0 ? 0 : (out - into) / (out + into)
    columns[balance > lean ? 1 : balance < -lean ? 3 : 2].push(box)
  }
  return columns.filter((column) => column.length > 0)
}

/** Orders each column by the middle of what its boxes are linked to, twice from left to right and back. */
function sorted(columns: readonly Box[][], links: Links): Box[][] {
  const order = columns.map((column) => column.toSorted((a, b) => (a.title < b.title ? -1 : 1)))
  const neighbours = new Map<string, { key: string; weight: number }[]>()
  for (const { from, to, weight } of links) {
    neighbours.set(from, [...(neighbours.get(from) ?? []), { key: to, weight }])
    neighbours.set(to, [...(neighbours.get(to) ?? []), { key: from, weight }])
  }
  for (let round = 0; round < 4; round += 1)
    for (let at = 0; at < order.length; at += 1) {
      const places = new Map(
        order.flatMap((column) =>
          column.map(({ key }, place) => [key, place / Math.max(1, column.length - 1)] as const),
        ),
      )
      const middle = ({ key }: Box) => {
        const own = neighbours.get(key) ?? []
        const sum = own.reduce((total, { weight }) => total + weight, 0)
        if (sum === 0) return 1
        return own.reduce((total, each) => total + (places.get(each.key) ?? 0) * each.weight, 0) / sum
      }
      const middles = new Map((order[at] ?? []).map((box) => [box.key, middle(box)]))
      order[at] = (order[at] ?? []).toSorted((a, b) => (middles.get(a.key) ?? 0) - (middles.get(b.key) ?? 0))
    }
  return order
}

function split(column: readonly Box[], most: number): Box[][] {
  const height = column.reduce((sum, box) => sum + box.height + gapY, 0)
  const count = Math.max(1, Math.ceil(height / most))
  const parts: Box[][] = [[]]
  let used = 0
  for (const box of column) {
    if (used > 0 && used + box.height / 2 > height / count) {
      parts.push([])
      used = 0
    }
    parts.at(-1)?.push(box)
    used += box.height + gapY
  }
  return parts
}
