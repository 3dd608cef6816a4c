import type { ReactNode } from 'react'
import { cx } from './class-names.ts'

export interface ToolbarProps {
  /** Filters, at its start. */
  children?: ReactNode
  /** Freshness and pages of a list, at its end. Its room is kept while it is null, which is before the rows have come. */
  pages?: ReactNode
  /** Nothing but the pages stands there: on a phone the two arrows find room beside the filters. */
  isPagesAlone?: boolean
  /** Anything else at its end, as wide as it is. */
  end?: ReactNode
}

/** The row above a list: filters at its start, freshness and pages at its end. */
export function Toolbar({ children, pages, isPagesAlone = false, end }: ToolbarProps) {
  return (
    <div
      data-toolbar=""
      className="flex shrink-0 flex-wrap items-center gap-2 border-b border-line px-(--gutter) py-2"
    >
      {children}
      {/* What is left of the line, or a line of its own: what stands in it does not decide which. */}
      {pages === undefined ? null : (
        <div
          className={cx(
            '@container ml-auto flex min-h-7 flex-1 basis-0 items-center justify-end gap-3',
            isPagesAlone ? 'min-w-20 sm:min-w-46' : 'min-w-46',
          )}
        >
          {pages}
        </div>
      )}
      {end === undefined ? null : (
        <div className="ml-auto flex items-center justify-end gap-3 max-sm:min-h-7 max-sm:min-w-40 max-sm:flex-1 max-sm:basis-0">
          {end}
        </div>
      )}
    </div>
  )
}
