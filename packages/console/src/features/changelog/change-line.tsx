import type { ReactNode } from 'react'
import type { ChangeText } from '../../lib/changelog.ts'

/** A change with what was searched for marked in it. */
export function ChangeLine({ change, query }: { change: ChangeText; query: string }) {
  const words = query.split(/\s+/).filter(Boolean)
  return (
    <li className="relative pl-4 before:absolute before:top-2 before:left-0.5 before:size-1 before:rounded-full before:bg-text-3">
      {change.map(({ text, look, href }) => {
        const content = marked(text, words)
        if (href) {
          return (
            <a key={text} href={href} target="_blank" rel="noreferrer" className="underline">
              {content}
            </a>
          )
        }
        if (look === 'code') {
          return (
            <code key={text} className="rounded-badge bg-active px-1 font-mono text-small">
              {content}
            </code>
          )
        }
        if (look === 'strong') return <strong key={text}>{content}</strong>
        return <span key={text}>{content}</span>
      })}
    </li>
  )
}

function marked(text: string, words: readonly string[]): ReactNode {
  if (words.length === 0) return text
  const pattern = new RegExp(
    `(${words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')})`,
    'i',
  )
  // Every second piece is what the pattern found.
  return text.split(pattern).map((piece, index) =>
    index % 2 === 1 ? (
      <mark key={`${index} ${piece}`} className="rounded-badge bg-warn-soft text-text">
        {piece}
      </mark>
    ) : (
      piece
    ),
  )
}
