import { useState } from 'react'
import { cx } from '../../ui/class-names.ts'

export interface PaperFrameProps {
  /** What the frame holds, for those who do not see it. */
  title: string
  /** A whole page without scripts, as the server prints it. */
  html: string
  isStale?: boolean
  onFrame?: (frame: HTMLIFrameElement | null) => void
}

/** A paper as it is printed, as high as it is. The frame runs no script, and the page in it loads nothing. */
export function PaperFrame({ title, html, isStale = false, onFrame }: PaperFrameProps) {
  const [height, setHeight] = useState(842)
  return (
    <iframe
      ref={onFrame}
      title={title}
      srcDoc={html}
      // Without scripts its origin serves for its height and for printing alone.
      sandbox="allow-same-origin allow-modals"
      className={cx('block w-full border-0', isStale && 'opacity-60')}
      style={{ height }}
      onLoad={({ currentTarget }) => {
        const page = currentTarget.contentDocument?.documentElement
        if (page) setHeight(page.scrollHeight)
      }}
    />
  )
}
