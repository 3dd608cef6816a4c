import type { ReactNode } from 'react'
import { cx } from './class-names.ts'
import { Skeleton } from './skeleton.tsx'

export interface PageHeaderProps {
  /** Undefined while it is being read. */
  title: ReactNode
  description?: ReactNode
  /** Beside the title: a status badge. */
  aside?: ReactNode
  /** Buttons, the primary one last. */
  actions?: ReactNode
  /**
   * Given where badges and actions come later than the page. On a phone they have lines of their own then, which are
   * there before they are; actions that are narrow stand `beside` the title instead.
   */
  reserves?: { aside: boolean; actions: boolean | 'beside' }
  /** Under the title: tabs. */
  children?: ReactNode
}

const noReserve = { aside: false, actions: false }

/**
 * The head of a page: title, what it is about, actions; a hairline below. Pass a blank as the description while it is
 * loading: it keeps the line.
 */
export function PageHeader(props: PageHeaderProps) {
  const { title, description, aside, actions, reserves = noReserve, children } = props
  return (
    <header className="border-b border-line px-(--gutter) pt-5">
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3 pb-4 md:min-h-12">
        <div className="min-w-0 grow basis-40 md:basis-96">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <h1 className="text-title font-semibold break-words">{title ?? <TitleSkeleton />}</h1>
            {reserves.aside ? (
              <div className="flex flex-wrap items-center gap-x-3 gap-y-1 max-md:min-h-5 max-md:basis-full">
                {aside}
              </div>
            ) : (
              aside
            )}
          </div>
          {description ? <div className="mt-0.5 min-h-5 text-text-2">{description}</div> : null}
        </div>
        {actions || reserves.actions ? (
          <div
            className={cx(
              'flex flex-wrap items-center gap-2',
              reserves.actions && 'min-h-8 touch:min-h-9',
              reserves.actions === true && 'max-md:w-full',
            )}
          >
            {actions}
          </div>
        ) : null}
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
