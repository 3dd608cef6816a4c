import type { ReactNode } from 'react'

/** The look of what stands in the bar: an icon of 18 px above one or two words. */
export const thumbItemClass =
  'flex min-h-14 flex-1 flex-col items-center justify-center gap-1 rounded-control px-1 text-small text-text-2 aria-disabled:text-text-3 data-[state=open]:bg-active'

/** The acts of a page where the thumb is: at the lower edge of a phone. */
export function ThumbBar({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      {/* The end of the page must not stay beneath the bar. */}
      <div aria-hidden className="h-16 shrink-0" />
      <nav
        data-thumb-bar=""
        aria-label={label}
        className="fixed inset-x-0 bottom-0 z-30 flex gap-1 border-t border-line bg-raised px-2 pt-1 pb-[max(0.25rem,env(safe-area-inset-bottom))]"
      >
        {children}
      </nav>
    </>
  )
}
