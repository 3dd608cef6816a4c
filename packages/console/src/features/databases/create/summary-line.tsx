import type { BackupPromise } from '@bey/contract'
import type { ReactNode } from 'react'

/** One thing that is made. */
export function Line({ icon, label, value }: { icon: ReactNode; label: string; value: string }) {
  return (
    <li className="flex items-center gap-2 py-1.5">
      <span className="text-text-3">{icon}</span>
      <span className="min-w-0 font-medium break-words">{label}</span>
      <span className="ml-auto shrink-0 text-text-2">{value}</span>
    </li>
  )
}

/** What can be promised with what is filled in. */
export function PromiseText({ lead, limits }: BackupPromise) {
  return (
    <div className="mb-3 border-b border-line pb-3">
      <p className="text-small text-text-3">What you can promise with this</p>
      <p className="mt-0.5 font-medium">{lead}</p>
      {limits.map((each) => (
        <p key={each} className="mt-1 text-small text-text-2">
          {each}
        </p>
      ))}
    </div>
  )
}
