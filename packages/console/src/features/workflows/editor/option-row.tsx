import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'

export interface OptionRowProps {
  title: string
  /** What holds at present, in a few words. */
  summary: string
  isOpen?: boolean
  children: ReactNode
}

/** A part of a form that is rarely needed: what it says stands beside its title, its fields are behind it. */
export function OptionRow({ title, summary, isOpen = false, children }: OptionRowProps) {
  return (
    <details open={isOpen} className="group border-t border-line">
      <summary className="flex min-h-8 cursor-default list-none items-center gap-2 py-1 hover:bg-hover [&::-webkit-details-marker]:hidden">
        <ChevronRight
          size={14}
          aria-hidden
          className="shrink-0 text-text-3 transition-transform duration-75 group-open:rotate-90"
        />
        <span className="w-28 shrink-0 font-medium">{title}</span>
        <span className="min-w-0 flex-1 truncate text-text-2">{summary}</span>
      </summary>
      <div className="flex flex-col gap-4 pt-2 pb-4 pl-6">{children}</div>
    </details>
  )
}
