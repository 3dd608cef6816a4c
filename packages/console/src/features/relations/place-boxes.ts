import { Graph, layout } from '@dagrejs/dagre'

interface Box {
  kind: string
  width: number
  height: number
}

type Point = { x: number; y: number }

const gap = 20
/** Between columns: the words of an edge stand there. */
const columnGap = 84
/** A row of boxes without relations is at least so wide before it wraps. */
const leastRowPx = 720

/**
 * The upper left corner of each box, in whole px: what is related from left to right, and below it, in rows as wide as
 * that, the kinds that have no relation to another kind.
 */
export function placeBoxes(
  boxes: readonly Box[],
  edges: readonly { from: string; to: string }[],
): [kind: string, point: Point][] {
  const lines = edges.filter(({ from, to }) => from !== to)
  const isLinked = new Set(lines.flatMap(({ from, to }) => [from, to]))
  const linked = boxes.filter(({ kind }) => isLinked.has(kind))
  const graph = new Graph()
  graph.setGraph({ rankdir: 'LR', ranker: 'tight-tree', nodesep: gap, ranksep: columnGap })
  graph.setDefaultEdgeLabel(() => ({}))
  for (const { kind, width, height } of linked) graph.setNode(kind, { width, height })
  for (const { from, to } of lines) graph.setEdge(from, to)
  if (linked.length > 0) layout(graph)
  const points = linked.map(({ kind, width, height }): [string, Point] => {
    const { x = 0, y = 0 } = graph.node(kind) as { x?: number; y?: number }
    // Whole pixels: borders stay sharp.
    return [kind, { x: Math.round(x - width / 2), y: Math.round(y - height / 2) }]
  })
  const pointOf = new Map(points)
  const ends = linked.map(({ kind, width, height }) => {
    const { x, y } = pointOf.get(kind) ?? { x: 0, y: 0 }
    return { right: x + width, bottom: y + height }
  })
  const width = Math.max(leastRowPx, ...ends.map(({ right }) => right))
  const bottom = Math.max(0, ...ends.map((end) => end.bottom + 2 * gap))
  const alone = boxes.filter(({ kind }) => !isLinked.has(kind))
  return [...points, ...inRows(alone, width, bottom)]
}

function inRows(boxes: readonly Box[], width: number, top: number): [string, Point][] {
  let [x, y, rowHeight] = [0, top, 0]
  return boxes.map((box): [string, Point] => {
    if (x > 0 && x + box.width > width) {
      ;[x, y, rowHeight] = [0, y + rowHeight + gap, 0]
    }
    const point = { x, y }
    x += box.width + gap
    rowHeight = Math.max(rowHeight, box.height)
    return [box.kind, point]
  })
}
