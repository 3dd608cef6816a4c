import type { RowSource } from './log-row.tsx'
import { podsOf } from './log-pods.tsx'
import type { SourceFigures } from '../../../entities/kubernetes/logs/log-store.ts'

const unknownSource: RowSource = { suffix: '', container: '', color: 'var(--line-strong)' }

/**
 * What rows say of their sources. Asked with the same sources it answers the same objects, so that rows that were drawn
 * stay as they are.
 */
export function createRowSources() {
  let list: ReadonlyMap<number, SourceFigures> | undefined
  let count = 0
  let rows = new Map<number, RowSource>()

  function update(sources: ReadonlyMap<number, SourceFigures>): void {
    if (sources === list && sources.size === count) return
    list = sources
    count = sources.size
    const pods = podsOf(sources)
    const containers = new Set([...sources.values()].map(({ source }) => source.container))
    rows = new Map()
    for (const [number, { source }] of sources) {
      const pod = pods.find(({ uid }) => uid === source.podUid)
      rows.set(number, {
        // In the log of one pod its containers are what differs.
        suffix: containers.size > 1 && pods.length === 1 ? source.container : (pod?.suffix ?? ''),
        container: source.container,
        color: pod?.color ?? 'var(--line)',
      })
    }
  }

  return {
    update,
    of: (source: number): RowSource => rows.get(source) ?? unknownSource,
    suffixColumns: () => Math.max(4, ...[...rows.values()].map(({ suffix }) => suffix.length)),
  }
}
