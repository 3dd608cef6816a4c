import { useId } from 'react'
import type { ReactNode } from 'react'

export interface SettingsSectionProps {
  title: string
  /** What it decides, in a sentence. */
  hint?: ReactNode
  children: ReactNode
}

/** One subject of a settings page: what it is about beside what can be set, above it where there is no room. */
export function SettingsSection({ title, hint, children }: SettingsSectionProps) {
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      className="grid gap-x-8 gap-y-4 border-b border-line px-(--gutter) py-6 last:border-b-0 lg:grid-cols-[13rem_minmax(0,1fr)]"
    >
      <div>
        <h2 id={id} className="font-semibold">
          {title}
        </h2>
        {hint ? <div className="mt-1 text-small text-text-3">{hint}</div> : null}
      </div>
      <div className="min-w-0">{children}</div>
    </section>
  )
}
