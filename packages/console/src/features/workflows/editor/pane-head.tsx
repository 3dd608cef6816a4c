import type { ReactNode } from 'react'

/** The head of one of the editor's panes. */
export function PaneHead({
  title,
  detail,
  actions,
}: {
  title: ReactNode
  detail?: ReactNode
  actions: ReactNode
}) {
  return (
    <div className="flex h-11 shrink-0 items-center gap-2 border-b border-line px-4">
      <h2 className="font-semibold whitespace-nowrap">{title}</h2>
      <span className="min-w-0 flex-1 truncate text-small text-text-2">{detail}</span>
      <span className="flex shrink-0 items-center gap-1">{actions}</span>
    </div>
  )
}
