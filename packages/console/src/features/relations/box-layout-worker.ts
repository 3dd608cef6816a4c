import { Graph, layout } from '@dagrejs/dagre'

export interface BoxLayoutRequest {
  id: number
  boxes: readonly { kind: string; width: number; height: number }[]
  edges: readonly { from: string; to: string }[]
}

export interface BoxLayoutReply {
  id: number
  /** The upper left corner of each box, in px. */
  points: readonly (readonly [kind: string, point: { x: number; y: number }])[]
}

self.addEventListener('message', ({ data }: MessageEvent<BoxLayoutRequest>) => {
  const graph = new Graph()
  graph.setGraph({ rankdir: 'LR', ranker: 'tight-tree', nodesep: 26, ranksep: 78 })
  graph.setDefaultEdgeLabel(() => ({}))
  for (const { kind, width, height } of data.boxes) graph.setNode(kind, { width, height })
  for (const { from, to } of data.edges) if (from !== to) graph.setEdge(from, to)
  layout(graph)
  const points = data.boxes.map(({ kind, width, height }) => {
    const { x = 0, y = 0 } = graph.node(kind) as { x?: number; y?: number }
    // Whole pixels: borders stay sharp.
    return [kind, { x: Math.round(x - width / 2), y: Math.round(y - height / 2) }] as const
  })
  self.postMessage({ id: data.id, points } satisfies BoxLayoutReply)
})
