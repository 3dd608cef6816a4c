import { cx } from '../../../ui/class-names.ts'

export interface DiffPart {
  value: string
  added?: boolean
  removed?: boolean
}

/** Unchanged lines that are shown before and after a change. */
const contextLines = 2

interface Line {
  mark: '+' | '-' | ' '
  text: string
}

/** Lines that go and come, with a little of what stays around them. */
export function LineDiff({ parts, label }: { parts: readonly DiffPart[]; label: string }) {
  const lines = parts.flatMap(linesOf)
  const shown = lines.map(
    ({ mark }, index) =>
      mark !== ' ' ||
      lines
        .slice(Math.max(0, index - contextLines), index + contextLines + 1)
        .some((near) => near.mark !== ' '),
  )
  if (!shown.some(Boolean)) return <p className="text-text-2">Both are the same.</p>
  return (
    <pre
      // A section would lose the whitespace that pre keeps.
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
      role="region"
      aria-label={label}
      // A box that scrolls must be reachable by keyboard.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className="max-h-72 overflow-auto rounded-control border border-line bg-sunken py-1.5 font-mono text-small leading-5"
    >
      {lines.map((line, index) => {
        if (!shown[index]) return null
        const isGap = index > 0 && !shown[index - 1]
        return (
          <span key={index} className="block">
            {isGap ? <span className="block px-3 text-text-3">…</span> : null}
            <span
              className={cx(
                'block px-3',
                line.mark === '-' && 'bg-danger-soft',
                line.mark === '+' && 'bg-ok-soft',
              )}
            >
              {line.mark} {line.text}
            </span>
          </span>
        )
      })}
    </pre>
  )
}

function linesOf({ value, added, removed }: DiffPart): Line[] {
  const mark = added ? '+' : removed ? '-' : ' '
  return value
    .replace(/\n$/, '')
    .split('\n')
    .map((text) => ({ mark, text }))
}
