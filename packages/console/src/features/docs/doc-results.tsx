import { useDocPassages } from '../../data/docs.ts'
import { searchDocs } from '../../lib/docs.ts'
import { errorText } from '../../lib/error-text.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Link } from '../../ui/link.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

/** What the documentation says to a query, by passage. */
export function DocResults({ query }: { query: string }) {
  const { data, error, refetch } = useDocPassages()
  if (error)
    return (
      <ErrorState
        {...errorText('The documentation could not be loaded', error)}
        onRetry={() => void refetch()}
      />
    )
  if (!data) return <Skeleton className="h-40 w-full" />
  const hits = searchDocs(data, query)
  if (hits.length === 0) {
    return (
      <EmptyState
        title={`Nothing in the documentation holds "${query}"`}
        description="No passage has any of these words."
      />
    )
  }
  return (
    <ol aria-label="Found in the documentation" className="flex flex-col">
      {hits.map(({ slug, id, heading, page, excerpt }) => (
        <li key={`${slug}#${id}`} className="border-b border-line last:border-b-0">
          <Link href={id ? `/docs/${slug}#${id}` : `/docs/${slug}`} className="block py-3 hover:bg-hover">
            <span className="font-medium">{heading}</span>
            {page === heading ? null : <span className="ml-2 text-small text-text-2">{page}</span>}
            {excerpt ? <span className="mt-0.5 block text-small text-text-2">{excerpt}</span> : null}
          </Link>
        </li>
      ))}
    </ol>
  )
}
