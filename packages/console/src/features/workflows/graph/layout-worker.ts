import { Graph, layout } from '@dagrejs/dagre'
import type { Direction, GraphEdge } from './graph-step.ts'
import { nodeSize } from './graph-step.ts'

export interface LayoutRequest {
  id: number
  nodes: readonly string[]
  edges: readonly GraphEdge[]
  direction: Direction
}

export interface Point {
  x: number
  y: number
}

export interface LayoutReply {
  id: number
  /** The upper left corner of each node, in px. */
  points: readonly (readonly [node: string, point: Point])[]
}

/** Gaps between nodes side by side, and between one row and the next. */
const gaps = { down: { nodesep: 20, ranksep: 40 }, right: { nodesep: 22, ranksep: 32 } } as const

self.addEventListener('message', ({ data }: MessageEvent<LayoutRequest>) => {
  const graph = new Graph()
  graph.setGraph({
    rankdir: data.direction === 'down' ? 'TB' : 'LR',
    ranker: 'tight-tree',
    ...gaps[data.direction],
  })
  graph.setDefaultEdgeLabel(() => ({}))
  for (const node of data.nodes) graph.setNode(node, { ...nodeSize })
  for (const { from, to } of data.edges) graph.setEdge(from, to)
  layout(graph)
  const points = data.nodes.map((node) => {
    const { x = 0, y = 0 } = graph.node(node) as Partial<Point>
    // Whole pixels: borders stay sharp.
    const point = { x: Math.round(x - nodeSize.width / 2), y: Math.round(y - nodeSize.height / 2) }
    return [node, point] as const
  })
  self.postMessage({ id: data.id, points } satisfies LayoutReply)
})
