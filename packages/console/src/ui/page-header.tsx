import type { ReactNode } from 'react'
import { Skeleton } from './skeleton.tsx'

export interface PageHeaderProps {
  /** Undefined while it is being read. */
  title: ReactNode
  description?: ReactNode
  /** Beside the title: a status badge. */
  aside?: ReactNode
  /** Buttons, the primary one last. */
  actions?: ReactNode
  /** Under the title: tabs. */
  children?: ReactNode
}

/**
 * The head of a page: title, what it is about, actions; a hairline below. Pass a blank as the description while it is
 * loading: it keeps the line.
 */
export function PageHeader({ title, description, aside, actions, children }: PageHeaderProps) {
  return (
    <header className="border-b border-line px-(--gutter) pt-5">
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3 pb-4 md:min-h-12">
        <div className="min-w-0">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <h1 className="text-title font-semibold break-words">{title ?? <TitleSkeleton />}</h1>
            {aside}
          </div>
          {description ? <div className="mt-0.5 min-h-5 text-text-2">{description}</div> : null}
        </div>
        {actions ? <div className="flex flex-wrap items-center gap-2">{actions}</div> : null}
      </div>
      {children}
    </header>
  )
}

/** A heading is never empty: a screen reader reads that the page is loading. */
function TitleSkeleton() {
  return (
    <>
      <span className="sr-only">Loading...</span>
      <Skeleton className="my-1.5 h-4 w-48" />
    </>
  )
}
