import type { ReactNode } from 'react'
import type { Impact, RelatedResource, RelationGraph, RelationPath } from '../../data/relations.ts'
import { relationRefreshMs } from '../../data/relations.ts'
import { useRead } from '../../data/use-read.ts'
import { kindTitle, placeText, timeTitles } from '../../entities/relations/relation-text.ts'
import { failureOf } from '../../lib/failed-query.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Link } from '../../ui/link.tsx'

/** What the graph shows, in words, at its right. */
export function Inspector({ label, children }: { label: string; children: ReactNode }) {
  return (
    <aside
      aria-label={label}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by keyboard
      tabIndex={0}
      className="w-full shrink-0 overflow-y-auto border-line p-4 max-lg:max-h-[45%] max-lg:border-t lg:w-[300px] lg:border-l"
    >
      {children}
    </aside>
  )
}

export function PathSteps({ path }: { path: RelationPath }) {
  return (
    <>
      <p className="font-semibold wrap-anywhere">{path.text}</p>
      <ol className="mt-3 flex flex-col gap-2.5">
        {path.steps.map((step, index) => (
          <li key={step.id} className="flex gap-3">
            <span
              aria-hidden
              className="flex size-4 shrink-0 translate-y-0.5 items-center justify-center rounded-full bg-accent text-meta font-semibold text-accent-label"
            >
              {index + 1}
            </span>
            <span className="min-w-0">
              <ResourceName resource={step} />
              <span className="block text-small text-text-2">
                {[step.text, placeText(step)].filter(Boolean).join(' · ')}
              </span>
            </span>
          </li>
        ))}
      </ol>
    </>
  )
}

const maxRowsShown = 30

export function BlastSteps({ impact }: { impact: Impact }) {
  const { text, steps, rows, rowTotal, goesWith, unused, kept } = impact
  return (
    <>
      <p className="font-semibold wrap-anywhere">{text}</p>
      {steps.length > 0 ? (
        <ol className="mt-3 divide-y divide-line border-y border-line">
          {steps.map(({ step, when, total, text: kinds }) => (
            <li key={step} className="py-1.5">
              <span className="flex justify-between gap-2">
                <span>
                  <span className="font-medium">{step === 1 ? '1 step' : `${step} steps`}</span>{' '}
                  <span className="text-danger tabular-nums">{total}</span>
                </span>
                <span className="text-small text-text-2">{timeTitles[when].toLowerCase()}</span>
              </span>
              <span className="block text-small text-text-2">{kinds}</span>
            </li>
          ))}
        </ol>
      ) : null}
      {rows.length > 0 ? (
        <>
          <h2 className="mt-4 font-semibold">What happens</h2>
          <ul className="mt-1 divide-y divide-line">
            {rows.slice(0, maxRowsShown).map((row) => (
              <li key={row.id} className="py-1.5">
                <ResourceName resource={row} />
                <span className="block text-small text-text-2 wrap-anywhere">
                  {row.text} {timeTitles[row.when].toLowerCase()}, by {row.by}
                </span>
              </li>
            ))}
          </ul>
          {rowTotal > maxRowsShown ? (
            <p className="mt-1 text-small text-text-2">{rowTotal - maxRowsShown} more</p>
          ) : null}
        </>
      ) : null}
      <Group title="Deleted with it" group={goesWith} />
      <Group title="Left without use" group={unused} />
      <Group title="Kept" group={kept} />
    </>
  )
}

function Group({ title, group }: { title: string; group: Impact['goesWith'] }) {
  if (group.total === 0) return null
  return (
    <>
      <h2 className="mt-4 flex justify-between gap-2 font-semibold">
        {title} <span className="tabular-nums">{group.total}</span>
      </h2>
      <p className="text-small text-text-2 wrap-anywhere">
        {group.total <= 3 ? group.rows.map(({ name }) => name).join(', ') : group.text}
      </p>
    </>
  )
}

/** The resource that was chosen, and what is directly around it. */
export function ResourceInspector({
  id,
  onBlast,
  onAround,
}: {
  id: string
  onBlast: () => void
  onAround: () => void
}) {
  const query = useRead('relations.of', { query: { id, depth: 3 } }, { refreshMs: relationRefreshMs })
  const failure = failureOf('Failed to fetch the relationships', query)
  if (failure) return <ErrorState {...failure} isCompact />
  const { data } = query
  if (!data) return <p className="text-text-2">Loading …</p>
  const direct = data.neededBy.filter(({ step }) => step === 1)
  return (
    <>
      <p className="font-semibold wrap-anywhere">
        <ResourceName resource={data.resource} />
      </p>
      <p className="text-small text-text-2">{placeText(data.resource)}</p>
      <p className="mt-2">{data.text}</p>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button size="small" onClick={onBlast}>
          Blast radius
        </Button>
        <Button size="small" onClick={onAround}>
          Only around it
        </Button>
      </div>
      <Related title="It needs" rows={data.needs} total={data.needsTotal} />
      <Related title="Needed by" rows={direct} total={data.directTotal} />
    </>
  )
}

function Related({
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
      <h2 className="mt-4 flex justify-between gap-2 border-b border-line pb-1 font-semibold">
        {title} <span className="tabular-nums">{total}</span>
      </h2>
      <ul className="divide-y divide-line">
        {rows.slice(0, maxRowsShown).map((row) => (
          <li key={`${row.id} ${row.text}`} className="py-1.5">
            <ResourceName resource={row} />
            <span className="block text-small text-text-2">
              {row.text} · {placeText(row)}
            </span>
          </li>
        ))}
      </ul>
      {total > maxRowsShown ? <p className="text-small text-text-2">{total - maxRowsShown} more</p> : null}
    </>
  )
}

function ResourceName({ resource }: { resource: RelatedResource }) {
  return (
    <Link href={resource.href} className="font-medium wrap-anywhere">
      {resource.name}
    </Link>
  )
}

/** The whole graph in figures, and what is wrong or new in it. */
export function GraphSummary({ graph }: { graph: RelationGraph }) {
  const failing = graph.boxes.filter((box) => box.failing > 0)
  const changed = graph.boxes.filter((box) => box.changed > 0)
  return (
    <>
      <p className="font-semibold">
        {graph.total} resources, {graph.relationTotal} relations
      </p>
      <p className="mt-1 text-text-2">
        Choose a tick, or open a kind, to see what a resource needs and what needs it.
      </p>
      <Counts title="Failing" rows={failing.map(({ kind, failing: count }) => ({ kind, count }))} />
      <Counts title="Changed" rows={changed.map(({ kind, changed: count }) => ({ kind, count }))} />
    </>
  )
}

function Counts({ title, rows }: { title: string; rows: readonly { kind: string; count: number }[] }) {
  if (rows.length === 0) return null
  return (
    <>
      <h2 className="mt-4 border-b border-line pb-1 font-semibold">{title}</h2>
      <ul className="divide-y divide-line">
        {rows.map(({ kind, count }) => (
          <li key={kind} className="flex justify-between gap-2 py-1.5">
            {kindTitle(kind)} <span className="text-text-2 tabular-nums">{count}</span>
          </li>
        ))}
      </ul>
    </>
  )
}
