import type { RelatedResource, RelationsOf } from '../../data/relations.ts'
import { cx } from '../../ui/class-names.ts'
import { Link } from '../../ui/link.tsx'
import { Truncated } from '../../ui/truncated.tsx'
import { type Placed, placeBowTie } from './bow-tie-places.ts'
import { placeText } from '../../entities/relations/relation-text.ts'

/** What a resource needs, and what needs it, up to the addresses outside. `data` is the reply of `relations.of`. */
export function BowTie({ data }: { data: RelationsOf }) {
  const { width, height, columns, boxes, lines } = placeBowTie(data)
  return (
    <>
      <section
        aria-label="Drawing of the relations"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by keyboard
        tabIndex={0}
        className="overflow-x-auto max-md:hidden"
      >
        <div className="relative" style={{ width, height }}>
          {columns.map(({ x, width: columnWidth, title, count }) => (
            <p
              key={title}
              className="absolute top-0 flex justify-between gap-2 text-small text-text-2"
              style={{ left: x, width: columnWidth }}
            >
              <span>{title}</span> <span className="tabular-nums">{count}</span>
            </p>
          ))}
          <svg aria-hidden className="absolute inset-0" width={width} height={height}>
            <defs>
              <marker
                id="bow-tie-arrow"
                viewBox="0 0 8 8"
                refX="7"
                refY="4"
                markerWidth="8"
                markerHeight="8"
                orient="auto"
              >
                <path d="M1 1 7 4 1 7" className="fill-none stroke-text-3" />
              </marker>
            </defs>
            {lines.map((line) => (
              <path
                key={line.key}
                d={line.d}
                className="fill-none stroke-line-strong"
                strokeWidth={1.25}
                markerEnd="url(#bow-tie-arrow)"
              />
            ))}
          </svg>
          {lines.map(({ key, label, labelX, labelY }) =>
            label === undefined ? null : (
              <span
                key={key}
                aria-hidden
                className="absolute -translate-y-1/2 bg-bg px-1 text-small text-text-2"
                style={{ left: labelX, top: labelY }}
              >
                {label}
              </span>
            ),
          )}
          {boxes.map((box) => (
            <Box key={box.key} box={box} />
          ))}
        </div>
      </section>
      <div className="md:hidden">
        <List title="It needs" rows={data.needs} total={data.needsTotal} />
        <List title="Needed by" rows={data.neededBy} total={data.neededByTotal} />
      </div>
    </>
  )
}

function Box({ box }: { box: Placed }) {
  const { resource, text, x, y, width, height, isCentre } = box
  const className = cx(
    'absolute flex flex-col justify-center rounded-control bg-raised px-2.5',
    isCentre ? 'border-2 border-accent' : 'border border-control',
  )
  const style = { left: x, top: y, width, height }
  if (!resource)
    return (
      <p className={cx(className, 'text-text-2')} style={style}>
        {text}
      </p>
    )
  return (
    <div className={className} style={style}>
      <span className="flex items-center gap-1.5">
        <Link href={`/resources/${encodeURIComponent(resource.id)}`} className="min-w-0 font-medium">
          <Truncated keepsEnd>{resource.name}</Truncated>
        </Link>
        {resource.health === 'failing' ? (
          <span className="shrink-0 text-small text-danger">failing</span>
        ) : null}
      </span>
      <span className="truncate text-small text-text-2">{placeText(resource)}</span>
    </div>
  )
}

const maxListed = 20

function List({
  title,
  rows,
  total,
}: {
  title: string
  rows: readonly (RelatedResource & { text: string })[]
  total: number
}) {
  if (total === 0) return null
  return (
    <>
      <h3 className="mt-3 flex justify-between gap-2 font-medium">
        {title} <span className="tabular-nums">{total}</span>
      </h3>
      <ul className="divide-y divide-line">
        {rows.slice(0, maxListed).map((row) => (
          <li key={`${row.id} ${row.text}`} className="py-2">
            <Link href={`/resources/${encodeURIComponent(row.id)}`} className="font-medium wrap-anywhere">
              {row.name}
            </Link>
            <span className="block text-small text-text-2">
              {row.text} · {placeText(row)}
            </span>
          </li>
        ))}
      </ul>
      {total > maxListed ? <p className="text-small text-text-2">{total - maxListed} more</p> : null}
    </>
  )
}
