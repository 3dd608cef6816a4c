import type { Node, NodeProps } from '@xyflow/react'
import { Handle, Position } from '@xyflow/react'
import { memo, useEffect, useRef, useState } from 'react'
import type { MouseEvent } from 'react'
import type { RelatedResource, RelationBox } from '../../data/relations.ts'
import { kindTitle, shortPlace } from '../../entities/relations/relation-text.ts'
import { cx } from '../../ui/class-names.ts'
import { boxGeometry, boxSize, tickAt } from './box-size.ts'
import { type TickLook, tickPaths } from './tick-paths.ts'

export type KindNode = Node<
  {
    box: RelationBox
    /** Resources that are listed while the box is open. */
    members: readonly RelatedResource[] | undefined
    /** Of a blast radius: the step at which each is reached. Undefined where none is shown. */
    reached: ReadonlyMap<string, number> | undefined
    selected: string | undefined
    onToggle: () => void
    onSelect: (id: string) => void
  },
  'kind'
>

/** The words of a head that need most room: of what is reached there are fewer. */
export function headOf({ kind, failing, total }: RelationBox): { title: string; count: string } {
  return {
    title: kindTitle(kind),
    count: failing > 0 ? `${failing} failing of ${total}` : `${total} of ${total}`,
  }
}

const fills: Record<TickLook, string> = {
  plain: 'fill-line-strong',
  changed: 'fill-info',
  failing: 'fill-danger',
  reached: 'fill-danger',
  far: 'fill-danger opacity-64',
  path: 'fill-accent',
}

const tintMs = 600

/** One kind with a tick for each resource; open, it lists them. */
export const KindBox = memo(function KindBox({ data }: NodeProps<KindNode>) {
  const { box, members, reached, selected, onToggle, onSelect } = data
  const { kind, ticks, total } = box
  const size = boxSize({ kind, ticks: ticks.length, members: undefined })
  const count = reached ? ticks.filter(({ id }) => reached.has(id)).length : 0
  const isDim = reached !== undefined && count === 0
  const paths = tickPaths(ticks, ({ id, health, changedAt }) => {
    if (id === selected) return 'path'
    if (reached) {
      const step = reached.get(id)
      return step === undefined ? 'plain' : step >= 3 ? 'far' : 'reached'
    }
    return health === 'failing' ? 'failing' : changedAt === null ? 'plain' : 'changed'
  })
  const tinted = useTinted(ticks)
  const tickOf = (event: MouseEvent<SVGSVGElement>) => {
    const area = event.currentTarget.getBoundingClientRect()
    const scale = size.width / area.width
    const index = tickAt(
      (event.clientX - area.left) * scale,
      (event.clientY - area.top) * scale + boxGeometry.head,
      ticks.length,
    )
    return index === undefined ? undefined : ticks[index]
  }
  const [hovered, setHovered] = useState<string>()
  return (
    <div
      data-kind={kind}
      className={cx(
        'relative size-full rounded-control border bg-raised',
        reached && count > 0 ? 'border-danger' : isDim ? 'border-line' : 'border-control',
      )}
    >
      <Handle type="target" position={Position.Left} className="!pointer-events-none !opacity-0" />
      <button
        type="button"
        data-kind-box={kind}
        aria-expanded={members !== undefined}
        onClick={onToggle}
        className="nopan pointer-events-auto flex h-7 w-full items-center justify-between gap-2 rounded-control px-2 text-left"
      >
        <span className="min-w-0 truncate font-medium">{kindTitle(kind)}</span>
        <span className="shrink-0 text-small text-text-2 tabular-nums">
          {reached && count > 0 ? (
            <span className="text-danger">
              {count} of {total}
            </span>
          ) : box.failing > 0 && !reached ? (
            <>
              <span className="text-danger">{box.failing} failing</span> of {total}
            </>
          ) : (
            total
          )}
        </span>
      </button>
      {/* The same resources are listed when the box is open. */}
      <svg
        aria-hidden
        width={size.width}
        height={size.height - boxGeometry.head}
        viewBox={`0 ${boxGeometry.head} ${size.width} ${size.height - boxGeometry.head}`}
        className={cx('nopan pointer-events-auto block cursor-pointer', isDim && 'opacity-60')}
        onMouseMove={(event) => {
          const tick = tickOf(event)
          setHovered(tick && (tick.count === 1 ? tick.name : `${tick.name} and ${tick.count - 1} more`))
        }}
        onMouseLeave={() => setHovered(undefined)}
        onClick={(event) => {
          const tick = tickOf(event)
          if (tick) onSelect(tick.id)
          else onToggle()
        }}
      >
        <title>{hovered ?? kindTitle(kind)}</title>
        {[...paths].map(([look, d]) => (
          <path key={look} d={d} className={fills[look]} />
        ))}
        {tinted === undefined ? null : (
          <path
            key={tinted.version}
            d={tinted.d}
            className="animate-[tick-tint_600ms_ease-out_forwards] fill-accent motion-reduce:hidden"
          />
        )}
      </svg>
      {members === undefined ? null : (
        <ul
          aria-label={kindTitle(kind)}
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by keyboard
          tabIndex={0}
          className="nowheel nopan pointer-events-auto overflow-y-auto border-t border-line py-1"
          style={{ maxHeight: boxGeometry.maxMembers * boxGeometry.memberHeight + boxGeometry.pad }}
        >
          {members.map((resource) => (
            <li key={resource.id} style={{ height: boxGeometry.memberHeight }}>
              <button
                type="button"
                aria-pressed={resource.id === selected}
                onClick={() => onSelect(resource.id)}
                className={cx(
                  'flex h-full w-full items-center gap-2 px-2 text-left text-small hover:bg-hover',
                  resource.id === selected && 'bg-accent-soft',
                )}
              >
                <span className={cx('truncate', resource.health === 'failing' && 'text-danger')}>
                  {resource.name}
                </span>
                <span className="ml-auto max-w-24 shrink-0 truncate text-text-3">{shortPlace(resource)}</span>
              </button>
            </li>
          ))}
          {members.length === 0 ? (
            <li className="px-2 text-small text-text-2">None is named like that.</li>
          ) : null}
        </ul>
      )}
      <Handle type="source" position={Position.Right} className="!pointer-events-none !opacity-0" />
    </div>
  )
})

/** The ticks that have just changed, for as long as they are tinted. */
function useTinted(ticks: RelationBox['ticks']): { version: number; d: string } | undefined {
  const before = useRef<ReadonlyMap<string, string>>(undefined)
  const [tinted, setTinted] = useState<{ version: number; d: string }>()
  useEffect(() => {
    const states = new Map(ticks.map(({ id, health, changedAt }) => [id, `${health} ${changedAt}`]))
    const known = before.current
    before.current = states
    if (!known) return
    const d = tickPaths(ticks, ({ id }) => (known.get(id) === states.get(id) ? 'plain' : 'changed')).get(
      'changed',
    )
    if (d === undefined) return
    // The tint follows a change of the reply, which comes from outside of React.
    setTinted((last) => ({ version: (last?.version ?? 0) + 1, d }))
    const timer = setTimeout(() => setTinted(undefined), tintMs)
    return () => clearTimeout(timer)
  }, [ticks])
  return tinted
}
