import { ChevronRight } from 'lucide-react'
import { type ReactNode, useState } from 'react'

/** A part of the form that is opened when it is needed. `isForced`: something in it is wrong, so it stays open. */
export function Disclosure({
  title,
  aside,
  isForced,
  children,
}: {
  title: string
  /** What was chosen in it, seen while it is closed as well. */
  aside: string
  isForced: boolean
  children: ReactNode
}) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details
      open={isOpen || isForced}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      className="group"
    >
      <summary className="flex min-h-7 cursor-pointer list-none flex-wrap items-center gap-x-2 [&::-webkit-details-marker]:hidden">
        <ChevronRight size={14} aria-hidden className="shrink-0 text-text-3 group-open:rotate-90" />
        <span className="font-semibold">{title}</span>
        <span className="ml-auto min-w-0 text-small text-text-2">{aside}</span>
      </summary>
      <div className="mt-2">{children}</div>
    </details>
  )
}
