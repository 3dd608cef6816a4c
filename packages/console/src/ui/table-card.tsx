import type { ReactNode } from 'react'

/** The frame of a table that is one part of a page among others. */
export function TableCard({ children }: { children: ReactNode }) {
  return (
    <div className="overflow-hidden rounded-card border border-line [&_tr:last-child_td]:border-b-0">
      {children}
    </div>
  )
}
