import { useLayoutEffect } from 'react'
import type { ReactNode, Ref } from 'react'
import { cx } from '../../ui/class-names.ts'
import { ownAttribute, useAnnotationMode } from '../../data/annotation-mode.ts'

/** Height of the bar in pixels; `--developer-bar` in styles.css has the same. */
export const barHeightPx = 24

/** The strip at the bottom of every page, in room of its own. */
export function BarFrame({ ref, children }: { ref?: Ref<HTMLElement>; children: ReactNode }) {
  useLayoutEffect(() => {
    const { dataset } = document.documentElement
    // Gives the shell the height to leave free, in styles.css. No inline style: the theme replaces those of the root.
    dataset['developerBar'] = ''
    return () => void delete dataset['developerBar']
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

/** Shown while the bar itself is loaded. */
export function BarLoading() {
  return (
    <BarFrame>
      <span className="flex items-center px-2 font-medium">Loading...</span>
    </BarFrame>
  )
}
