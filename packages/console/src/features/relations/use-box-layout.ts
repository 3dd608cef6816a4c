import { useEffect, useRef, useState } from 'react'
import { log } from '../../lib/log.ts'
import type { BoxLayoutReply, BoxLayoutRequest } from './box-layout-worker.ts'

export type BoxLayout = ReadonlyMap<string, { x: number; y: number }>

/**
 * Where each box stands, from a worker; undefined until the first layout is there. The one before stays while the next is
 * on its way. Counts and health move nothing: only boxes, their sizes and what they lead to.
 */
export function useBoxLayout(
  boxes: BoxLayoutRequest['boxes'],
  edges: BoxLayoutRequest['edges'],
): BoxLayout | undefined {
  const [points, setPoints] = useState<BoxLayout>()
  const worker = useRef<Worker>(undefined)
  const lastId = useRef(0)
  const shape = JSON.stringify([boxes, edges.map(({ from, to }) => ({ from, to }))])
  useEffect(
    () => () => {
      worker.current?.terminate()
      worker.current = undefined
    },
    [],
  )
  useEffect(() => {
    const [shapes, lines]: [BoxLayoutRequest['boxes'], BoxLayoutRequest['edges']] = JSON.parse(shape)
    if (shapes.length === 0) return
    lastId.current += 1
    const id = lastId.current
    worker.current ??= listenTo(
      takePrepared() ?? createWorker(),
      // An answer to an older question is of other boxes.
      (reply) => (reply.id === lastId.current ? setPoints(new Map(reply.points)) : undefined),
      () => {
        log('warning', 'The layout of the graph could not be loaded')
        worker.current = undefined
        setPoints(column(shapes))
      },
    )
    worker.current.postMessage({ id, boxes: shapes, edges: lines } satisfies BoxLayoutRequest)
  }, [shape])
  return points
}

const createWorker = () => new Worker(new URL('./box-layout-worker.ts', import.meta.url), { type: 'module' })

function listenTo(worker: Worker, onReply: (reply: BoxLayoutReply) => void, onMissing: () => void): Worker {
  worker.addEventListener('message', ({ data }: MessageEvent<BoxLayoutReply>) => onReply(data))
  worker.addEventListener('error', () => {
    worker.terminate()
    onMissing()
  })
  return worker
}

let prepared: Worker | undefined

/** Starts the worker before there is anything to lay out; the next graph that is drawn takes it. */
export function prepareBoxLayout(): void {
  if (prepared) return
  const worker = createWorker()
  prepared = worker
  // Whoever draws the graph tries once more, and sees that failure.
  worker.addEventListener('error', () => dropPrepared(worker))
}

/** Ends a prepared worker that no graph took. */
export function dropPreparedBoxLayout(): void {
  if (prepared) dropPrepared(prepared)
}

function dropPrepared(worker: Worker): void {
  if (prepared !== worker) return
  prepared = undefined
  worker.terminate()
}

function takePrepared(): Worker | undefined {
  const worker = prepared
  prepared = undefined
  return worker
}

/** Without a worker the boxes stand below each other. */
function column(boxes: BoxLayoutRequest['boxes']): BoxLayout {
  let y = 0
  return new Map(
    boxes.map(({ kind, height }) => {
      const point = { x: 0, y }
      y += height + 26
      return [kind, point]
    }),
  )
}
