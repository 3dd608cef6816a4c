type Share = number | null

/** A node with its pods; shares are of what can be allocated, of a pod of what it requested. */
export interface NodeCellData {
  /** Null for the pods that have no node. */
  name: string | null
  health: { state: string; reason: string | null }
  cpu: { used: Share; requested: Share }
  memory: { used: Share; requested: Share }
  podCount: number
  failingCount: number
  /** The first of the failing pods. */
  failing?: readonly { name: string; reason: string | null }[]
  pods: readonly { state: string; cpu: Share; memory: Share }[]
}

export interface Bar {
  x: number
  y: number
  width: number
  height: number
}

/** Every coordinate is a whole pixel. */
export interface NodeGeometry {
  width: number
  height: number
  radius: number
  tick: { width: number; height: number; failingWidth: number; pitch: number }
  slots: { rows: number; columns: number; x: number; y: number; rowPitch: number }
  bar: Bar
}

export const rowGeometry: NodeGeometry = {
  width: 48,
  height: 28,
  radius: 3.5,
  tick: { width: 2, height: 7, failingWidth: 2, pitch: 3 },
  slots: { rows: 2, columns: 14, x: 3, y: 4, rowPitch: 9 },
  bar: { x: 3, y: 23, width: 42, height: 2 },
}

/** A map that is a page's first answer. */
export const bandGeometry: NodeGeometry = {
  width: 96,
  height: 40,
  radius: 4,
  tick: { width: 3, height: 20, failingWidth: 3, pitch: 4 },
  slots: { rows: 1, columns: 22, x: 4, y: 6, rowPitch: 20 },
  bar: { x: 4, y: 32, width: 88, height: 2 },
}

export const phoneGeometry: NodeGeometry = {
  width: 36,
  height: 22,
  radius: 3,
  tick: { width: 1, height: 6, failingWidth: 2, pitch: 2 },
  slots: { rows: 2, columns: 16, x: 2, y: 3, rowPitch: 7 },
  bar: { x: 2, y: 18, width: 32, height: 2 },
}

export const pageGeometry: NodeGeometry = {
  width: 208,
  height: 24,
  radius: 0,
  tick: { width: 4, height: 24, failingWidth: 4, pitch: 6 },
  slots: { rows: 1, columns: 35, x: 0, y: 0, rowPitch: 24 },
  bar: { x: 0, y: 0, width: 0, height: 0 },
}

type Pod = NodeCellData['pods'][number]

/** What is drawn, as paths: one element a kind and not one a pod. */
export function nodeTicks(pods: readonly Pod[], geometry: NodeGeometry, by: 'cpu' | 'memory') {
  const { tick, slots } = geometry
  const count = slots.rows * slots.columns
  const bins = binned(pods, count, by)
  const paths = { ground: '', fill: '', failing: '', stubs: '' }
  for (let index = 0; index < count; index++) {
    const x = slots.x + (index % slots.columns) * tick.pitch
    const bottom = slots.y + Math.floor(index / slots.columns) * slots.rowPitch + tick.height
    const bin = bins[index]
    if (!bin) paths.stubs += rect(x, bottom, tick.width, tick.height > 10 ? 2 : 1)
    else if (bin.isFailing) paths.failing += rect(x, bottom, tick.failingWidth, tick.height)
    else {
      paths.ground += rect(x, bottom, tick.width, tick.height)
      const height = Math.round(Math.min(1, bin.use ?? 0) * tick.height)
      if (height > 0) paths.fill += rect(x, bottom, tick.width, height)
    }
  }
  return paths
}

/** More pods than slots share them: the highest use of a bin counts, and failing wins. */
export function binned(pods: readonly Pod[], slots: number, by: 'cpu' | 'memory') {
  const size = Math.max(1, Math.ceil(pods.length / slots))
  const bins: { use: Share; isFailing: boolean }[] = []
  for (let from = 0; from < pods.length; from += size) {
    const bin = pods.slice(from, from + size)
    const uses = bin.map((pod) => pod[by]).filter((use) => use !== null)
    bins.push({
      use: uses.length > 0 ? Math.max(...uses) : null,
      isFailing: bin.some(({ state }) => state === 'failing'),
    })
  }
  return bins
}

const rect = (x: number, bottom: number, width: number, height: number) =>
  `M${x} ${bottom - height}h${width}v${height}h-${width}z`

/** The name of a node where its cluster is named already: "workers-2" of "prod-eu-1-workers-2". */
export const withoutPrefix = (name: string, prefix: string) =>
  name.startsWith(prefix) ? name.slice(prefix.length) : name
