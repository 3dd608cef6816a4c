import type { ReactNode } from 'react'
import { useClientVersion } from '../../data/version.ts'
import { useListLocation } from '../../lib/list-location.ts'
import { FilterInput } from '../../ui/filter-input.tsx'
import { Link } from '../../ui/link.tsx'
import { DocContents } from './doc-contents.tsx'
import { DocResults } from './doc-results.tsx'

/** The contents at the left, and what was opened or searched for beside them. */
export function DocsFrame({
  slug,
  children,
  aside,
}: {
  slug: string | undefined
  children: ReactNode
  aside?: ReactNode
}) {
  const { search, change } = useListLocation()
  const version = useClientVersion()?.version
  const query = search.q ?? ''
  return (
    <div className="flex min-h-full">
      <aside aria-label="Contents" className="hidden w-52 shrink-0 border-r border-line md:block">
        <div className="sticky top-0 max-h-[calc(100dvh-3rem)] overflow-y-auto">
          <DocContents current={slug} />
        </div>
      </aside>
      <div className="flex min-w-0 flex-1 flex-col gap-x-10 gap-y-5 px-(--gutter) py-6 xl:flex-row-reverse xl:items-start xl:justify-end">
        <div className="flex max-w-2xl flex-col gap-3 xl:sticky xl:gap-6 xl:top-6 xl:w-64 xl:shrink-0">
          <FilterInput label="Search the documentation" value={query} onChange={(q) => change({ q })} />
          {slug === undefined ? null : (
            <Link href="/docs" className="text-small text-text-2 underline md:hidden">
              All pages
            </Link>
          )}
          {query === '' ? <div className="hidden xl:block">{aside}</div> : null}
        </div>
        <article className="flex w-full max-w-2xl min-w-0 flex-col gap-4">
          {query === '' ? (
            children
          ) : (
            <>
              <h1 className="text-title font-semibold">Search the documentation</h1>
              <DocResults query={query} />
            </>
          )}
          <p className="mt-4 min-h-5 border-t border-line pt-3 text-small text-text-2">
            {version === undefined ? '' : `For Bey ${version}, the version that runs here.`}
          </p>
        </article>
      </div>
    </div>
  )
}
