import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { loaders, sections } from 'virtual:docs'
import { useEffect } from 'react'
import type { DocPage as Page } from '../../lib/docs.ts'
import { errorText } from '../../lib/error-text.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Link } from '../../ui/link.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { usePageKeys } from '../../ui/use-page-keys.ts'
import { DocBlocks } from './doc-blocks.tsx'
import { DocOutline } from './doc-outline.tsx'
import { DocsFrame } from './docs-frame.tsx'

const pages = sections.flatMap((section) => section.pages)

/** One page of the documentation. */
export function DocPage() {
  const { section = '', page = '' } = useParams({ strict: false })
  const slug = `${section}/${page}`
  const index = pages.findIndex((each) => each.slug === slug)
  const shown = pages[index]
  usePageTitle(shown?.title ?? 'No such page')
  if (!shown) {
    return (
      <DocsFrame slug={undefined}>
        <h1 className="text-title font-semibold">No such page</h1>
        <EmptyState
          title={`The documentation has no page ${slug}`}
          description="It may have another name now: search for it, or choose it from the contents."
        />
      </DocsFrame>
    )
  }
  return <Shown page={shown} before={pages[index - 1]} after={pages[index + 1]} />
}

function Shown({ page, before, after }: { page: Page; before: Page | undefined; after: Page | undefined }) {
  const { slug, title } = page
  const navigate = useNavigate()
  const query = useQuery({
    queryKey: ['docs', slug],
    queryFn: async () => (await loaders[slug]?.())?.blocks ?? [],
    staleTime: Number.POSITIVE_INFINITY,
  })
  const blocks = query.data
  // A heading that is linked to is there only once the page is.
  useEffect(() => {
    if (blocks && location.hash !== '')
      document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView()
  }, [blocks])
  const open = (to: Page | undefined) => (to ? void navigate({ href: `/docs/${to.slug}` }) : undefined)
  usePageKeys('Documentation', [
    { keys: ['['], does: 'Page before', run: () => open(before) },
    { keys: [']'], does: 'Next page', run: () => open(after) },
  ])
  return (
    <DocsFrame slug={slug} aside={blocks ? <DocOutline slug={slug} blocks={blocks} /> : null}>
      <h1 className="text-title font-semibold">{title}</h1>
      {query.error ? (
        <ErrorState
          {...errorText('This page could not be loaded', query.error)}
          onRetry={() => void query.refetch()}
        />
      ) : blocks ? (
        <DocBlocks blocks={blocks} />
      ) : (
        <Skeleton className="h-64 w-full" />
      )}
      <div className="mt-2 flex flex-wrap justify-between gap-3 text-small">
        {before ? (
          <Link href={`/docs/${before.slug}`} className="underline">{`Before: ${before.title}`}</Link>
        ) : (
          <span />
        )}
        {after ? (
          <Link href={`/docs/${after.slug}`} className="underline">{`Next: ${after.title}`}</Link>
        ) : null}
      </div>
    </DocsFrame>
  )
}
