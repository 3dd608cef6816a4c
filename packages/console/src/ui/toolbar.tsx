import type { ReactNode } from 'react'

export interface ToolbarProps {
  /** Filters, at its start. */
  children?: ReactNode
  /** Freshness and pages of a list, at its end. Its room is kept while it is null, which is before the rows have come. */
  pages?: ReactNode
  /** Anything else at its end, as wide as it is. */
  end?: ReactNode
}

/** The row above a list: filters at its start, freshness and pages at its end. */
export function Toolbar({ children, pages, end }: ToolbarProps) {
  return (
    <div
      data-toolbar=""
      className="flex shrink-0 flex-wrap items-center gap-2 border-b border-line px-(--gutter) py-2"
    >
      {children}
      {/* What is left of the line, or a line of its own: what stands in it does not decide which. */}
      {pages === undefined ? null : (
        <div className="@container ml-auto flex min-h-7 min-w-46 flex-1 basis-0 items-center justify-end gap-3">
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
