import { useEffect, useRef, useState } from 'react'
import { log } from '../../../lib/log.ts'
import type { Direction, Graph } from './graph-step.ts'
import { nodeSize } from './graph-step.ts'
import type { LayoutReply, LayoutRequest, Point } from './layout-worker.ts'

export type Layout = ReadonlyMap<string, Point>

/**
 * Where each node of a graph stands, from a worker; undefined until the first layout is there. The one before stays
 * while the next is on its way. Only nodes and edges count: what a node looks like moves nothing.
 */
export function useGraphLayout(graph: Graph, direction: Direction): Layout | undefined {
  const [layout, setLayout] = useState<Layout>()
  const worker = useRef<Worker>(undefined)
  const lastId = useRef(0)
  const shape = JSON.stringify([graph.nodes.map(({ id }) => id), graph.edges, direction])
  useEffect(
    () => () => {
      worker.current?.terminate()
      worker.current = undefined
    },
    [],
  )
  useEffect(() => {
    const [nodes, edges]: [string[], LayoutRequest['edges']] = JSON.parse(shape)
    lastId.current += 1
    const id = lastId.current
    const onReply = (reply: LayoutReply) => {
      // An answer to an older question is of another graph.
      if (reply.id === lastId.current) setLayout(new Map(reply.points))
    }
    const onMissing = () => {
      log('warning', 'The layout of the graph could not be loaded')
      worker.current = undefined
      setLayout(listLayout(nodes))
    }
    worker.current ??= startWorker(onReply, onMissing)
    worker.current.postMessage({ id, nodes, edges, direction } satisfies LayoutRequest)
  }, [shape, direction])
  return layout
}

function startWorker(onReply: (reply: LayoutReply) => void, onMissing: () => void): Worker {
  const worker = new Worker(new URL('./layout-worker.ts', import.meta.url), { type: 'module' })
  worker.addEventListener('message', ({ data }: MessageEvent<LayoutReply>) => onReply(data))
  worker.addEventListener('error', () => {
    worker.terminate()
    onMissing()
  })
  return worker
}

/** Without a worker the nodes stand below each other. */
function listLayout(nodes: readonly string[]): Layout {
  return new Map(nodes.map((node, index) => [node, { x: 0, y: index * (nodeSize.height + 24) }]))
}
