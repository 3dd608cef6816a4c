import { placeBoxes } from './place-boxes.ts'

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
  self.postMessage({ id: data.id, points: placeBoxes(data.boxes, data.edges) } satisfies BoxLayoutReply)
})
