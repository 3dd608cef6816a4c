import type { ReactNode } from 'react'
import { formatCount } from '../../../lib/format.ts'
import { text } from './fields.ts'
import { fieldWords } from './generic-panel.ts'

/** More are never drawn at once: objects from a cluster may be of any size. */
const maxChildren = 200

/** Nested values, each folded until it is asked for. */
export function ValueTree({ value }: { value: object }) {
  const all = Object.entries(value)
  const rest = all.length - maxChildren
  return (
    <ul className="grid gap-1">
      {all.slice(0, maxChildren).map(([key, each]) => (
        <li key={key} className="min-w-0">
          <Node label={Array.isArray(value) ? `${Number(key) + 1}` : fieldWords(key)} value={each} />
        </li>
      ))}
      {rest > 0 ? <li className="text-text-2">and {formatCount(rest, 'more value')}</li> : null}
    </ul>
  )
}

function Node({ label, value }: { label: string; value: unknown }): ReactNode {
  if (typeof value !== 'object' || value === null) {
    return (
      <p className="flex gap-x-3">
        <span className="shrink-0 text-text-2">{label}</span>
        <span className="min-w-0 break-words whitespace-pre-wrap">{text(value) ?? '—'}</span>
      </p>
    )
  }
  const count = Object.keys(value).length
  if (count === 0) return <p className="text-text-2">{label}: empty</p>
  return (
    <details>
      <summary className="cursor-pointer rounded-badge py-0.5 text-text-2 hover:text-text">
        <span className="text-text">{label}</span>{' '}
        <span className="text-small text-text-3">
          {Array.isArray(value) ? formatCount(count, 'entry', 'entries') : formatCount(count, 'field')}
        </span>
      </summary>
      <div className="mt-1 ml-1.5 border-l border-line pl-4">
        <ValueTree value={value} />
      </div>
    </details>
  )
}
