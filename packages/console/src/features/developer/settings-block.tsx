import { useId } from 'react'
import type { ReactNode } from 'react'

/** A part of the settings, under a title where it has one. */
export function Block({
  title,
  aside,
  children,
}: {
  title?: string
  aside?: ReactNode
  children: ReactNode
}) {
  const id = useId()
  return (
    <section aria-labelledby={title ? id : undefined} className="px-4 py-3">
      {title ? (
        <div className="mb-1.5 flex items-baseline justify-between gap-2">
          <h3 id={id} className="text-small font-medium text-text-2">
            {title}
          </h3>
          {aside}
        </div>
      ) : null}
      {children}
    </section>
  )
}
