import { useLayoutEffect } from 'react'
import type { ReactNode, Ref } from 'react'
import { cx } from '../../ui/class-names.ts'
import { ownAttribute, useAnnotationMode } from '../../data/annotation-mode.ts'

/** Height of the bar in pixels. */
export const barHeightPx = 24

/** The strip at the bottom of every page, in room of its own. */
export function BarFrame({ ref, children }: { ref?: Ref<HTMLElement>; children: ReactNode }) {
  useLayoutEffect(() => {
    const { style } = document.documentElement
    // What lies above the bar ends where the bar begins: see the shell.
    style.setProperty('--developer-bar', `${barHeightPx}px`)
    return () => void style.removeProperty('--developer-bar')
  }, [])
  const [isAnnotating] = useAnnotationMode()
  return (
    <section
      ref={ref}
      // No part of the page: it stays at hand above the layer that annotates one.
      {...{ [ownAttribute]: '' }}
      aria-label="Developer status bar"
      style={{ height: barHeightPx }}
      className={cx(
        'fixed inset-x-0 bottom-0 flex items-stretch border-t border-line bg-sunken text-meta tabular-nums',
        isAnnotating ? 'z-[60]' : 'z-30',
      )}
    >
      {children}
    </section>
  )
}

/** While the bar itself is on its way. */
export function BarLoading() {
  return (
    <BarFrame>
      <span className="flex items-center px-2 font-medium">Loading...</span>
    </BarFrame>
  )
}
