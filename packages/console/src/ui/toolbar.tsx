import type { ReactNode } from 'react'

/** The row above a list: filters at its start, freshness and pages at its end. */
export function Toolbar({ children, end }: { children?: ReactNode; end?: ReactNode }) {
  return (
    <div className="flex shrink-0 flex-wrap items-center gap-2 border-b border-line px-(--gutter) py-2">
      {children}
      <div className="ml-auto flex items-center gap-3">{end}</div>
    </div>
  )
}
