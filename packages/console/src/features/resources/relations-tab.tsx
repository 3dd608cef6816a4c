import type { CallOutput } from '@bey/contract'
import { useRead } from '../../data/use-read.ts'
import { placeText } from '../../entities/relations/relation-text.ts'
import { failureOf } from '../../lib/failed-query.ts'
import { formatNumber } from '../../lib/format.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Link } from '../../ui/link.tsx'
import { Section } from '../../ui/section.tsx'
import { DelayedSkeleton, Skeleton } from '../../ui/skeleton.tsx'
import { Status } from '../../ui/status.tsx'
import { resourceHref } from './resource-text.ts'

type Related = CallOutput<'relations.of'>['needs'][number]

/** What a resource needs, and what needs it. */
export function RelationsTab({ id }: { id: string }) {
  const query = useRead('relations.of', { query: { id } }, { refreshMs: 60_000 })
  const failure = failureOf('Failed to fetch the relationships', query)
  const { data } = query
  if (failure) return <ErrorState {...failure} />
  if (!data) {
    return (
      <DelayedSkeleton>
        <Skeleton className="mx-(--gutter) my-6 h-48" />
      </DelayedSkeleton>
    )
  }
  return (
    <div className="grid gap-8 px-(--gutter) py-6">
      <p className="text-text-2">{data.text}</p>
      <div className="grid gap-8 lg:grid-cols-2">
        <Section title="It needs" aside={formatNumber(data.needsTotal)}>
          <RelatedList related={data.needs} total={data.needsTotal} empty="It needs nothing." />
        </Section>
        <Section title="Needed by" aside={formatNumber(data.neededByTotal)}>
          <RelatedList related={data.neededBy} total={data.neededByTotal} empty="Nothing needs it." />
        </Section>
      </div>
    </div>
  )
}

function RelatedList({
  related,
  total,
  empty,
}: {
  related: readonly Related[]
  total: number
  empty: string
}) {
  if (related.length === 0) return <p className="text-text-2">{empty}</p>
  return (
    <>
      <ul className="divide-y divide-line">
        {related.map((each) => (
          <li key={each.id} className="flex min-h-9 flex-wrap items-center gap-x-3 py-1.5">
            <Link href={resourceHref(each.id)} className="font-medium break-all hover:underline">
              {each.name}
            </Link>
            <span className="min-w-0 flex-1 text-small text-text-2">{placeText(each)}</span>
            {each.health === null ? null : <Status status={each.health} />}
          </li>
        ))}
      </ul>
      {total > related.length ? (
        <p className="pt-2 text-small text-text-2">
          {formatNumber(total - related.length)} more are not listed.
        </p>
      ) : null}
    </>
  )
}
