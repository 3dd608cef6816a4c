import type { RelationGraph } from '../../data/relations.ts'
import { cx } from '../../ui/class-names.ts'
import type { RelationMode } from './relation-search.ts'

/** What a tick is, and what its colours mean in this mode. */
export function GraphLegend({ graph, mode }: { graph: RelationGraph; mode: RelationMode }) {
  const most = Math.max(1, ...graph.boxes.flatMap(({ ticks }) => ticks.map(({ count }) => count)))
  const entries =
    mode === 'blast'
      ? [
          { text: 'reached', mark: 'bg-danger' },
          { text: 'not reached', mark: 'bg-line-strong' },
        ]
      : [
          { text: 'changed', mark: 'bg-info' },
          { text: 'failing', mark: 'bg-danger' },
          ...(mode === 'path' ? [{ text: 'path', mark: 'bg-accent' }] : []),
        ]
  return (
    <ul className="flex flex-wrap gap-x-4">
      <Entry mark="bg-line-strong" text={most === 1 ? 'one resource' : `up to ${most} resources`} />
      {entries.map((entry) => (
        <Entry key={entry.text} {...entry} />
      ))}
    </ul>
  )
}

function Entry({ text, mark }: { text: string; mark: string }) {
  return (
    <li className="flex items-center gap-1.5">
      <span aria-hidden className={cx('h-3.5 w-1', mark)} />
      {text}
    </li>
  )
}
