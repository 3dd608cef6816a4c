import type { ReactNode } from 'react'

/** The row above a list: filters at its start, freshness and pages at its end. */
export function Toolbar({ children, end }: { children?: ReactNode; end?: ReactNode }) {
  return (
    <div className="flex shrink-0 flex-wrap items-center gap-2 border-b border-line px-(--gutter) py-2">
      {children}
      {/* On a phone it takes what is left of the line, or one of its own, before its words have come as well as after. */}
      {end === undefined ? null : (
        <div className="ml-auto flex items-center justify-end gap-3 max-sm:min-h-7 max-sm:min-w-40 max-sm:flex-1 max-sm:basis-0">
          {end}
        </div>
      )}
    </div>
  )
}
