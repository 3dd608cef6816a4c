import { useRead } from '../../data/use-read.ts'
import { BowTie } from './bow-tie.tsx'
import { failureOf } from '../../lib/failed-query.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Link } from '../../ui/link.tsx'
import { Section } from '../../ui/section.tsx'
import { DelayedSkeleton, Skeleton } from '../../ui/skeleton.tsx'
import { resourceHref } from './resource-text.ts'

const linkClass = 'underline underline-offset-3'

const blastHref = (id: string, act: 'fails' | 'deleted') =>
  `/entity-relationships?mode=blast&act=${act}&of=${encodeURIComponent(id)}`

/** What a resource needs, and what needs it, as a drawing; one that stands alone has a sentence. */
export function Neighbours({ id }: { id: string }) {
  const query = useRead('relations.of', { query: { id } }, { refreshMs: 60_000 })
  const failure = failureOf('Failed to fetch the relationships', query)
  const { data } = query
  return (
    <div className="min-w-0 xl:col-span-2">
      <Section
        title="What it needs, and what needs it"
        aside={
          <span className="flex gap-3">
            <Link href={`${resourceHref(id)}?tab=relationships`} className={linkClass}>
              List
            </Link>
            <Link href={blastHref(id, 'fails')} className={linkClass}>
              If it fails
            </Link>
            <Link href={blastHref(id, 'deleted')} className={linkClass}>
              If deleted
            </Link>
          </span>
        }
      >
        {failure ? (
          <ErrorState {...failure} isCompact />
        ) : data === undefined ? (
          <DelayedSkeleton>
            <Skeleton className="h-48" />
          </DelayedSkeleton>
        ) : (
          <>
            {data.needsTotal + data.neededByTotal === 0 ? (
              <p className="text-text-2">{data.text}</p>
            ) : (
              <BowTie data={data} />
            )}
          </>
        )}
      </Section>
    </div>
  )
}
