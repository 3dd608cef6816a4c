import { Terminal } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from './class-names.ts'
import { CopyButton } from './copy-button.tsx'
import { messagePlacement } from './message-placement.ts'

export interface EmptyStateProps {
  icon?: ReactNode
  /** What would be here: "No clusters yet". */
  title: string
  /** Why it is empty and what the thing is for. */
  description: ReactNode
  /** One primary action. */
  action?: ReactNode
  /** A command line that does the same. */
  command?: string
}

export function EmptyState({ icon, title, description, action, command }: EmptyStateProps) {
  return (
    <div data-message="" className={cx('flex flex-col items-start gap-2', messagePlacement)}>
      {icon ? <div className="mb-1 text-text-3">{icon}</div> : null}
      <h2 className="max-w-full text-lead font-semibold wrap-anywhere">{title}</h2>
      <p className="text-text-2">{description}</p>
      {action ? <div className="mt-2 flex flex-wrap gap-2">{action}</div> : null}
      {command ? (
        <div className="mt-3 flex w-full items-center gap-2 rounded-control border border-line bg-sunken py-1 pr-1 pl-2.5">
          <Terminal size={14} aria-hidden className="shrink-0 text-text-3" />
          <code className="min-w-0 flex-1 truncate font-mono text-small">{command}</code>
          <CopyButton text={command} label="Copy command" />
        </div>
      ) : null}
    </div>
  )
}
