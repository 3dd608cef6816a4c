import type { Cluster } from '@bey/contract'
import { formatCount } from '../../../lib/format.ts'
import { cx } from '../../../ui/class-names.ts'
import { Section } from '../../../ui/section.tsx'
import { StatusMark } from '../../../ui/status-mark.tsx'
import type { StatusGlyph } from '../../../ui/status-table.ts'
import { consequencesOf } from './change-consequences.ts'
import { ownersOf } from './field-owners.ts'
import { changesBetween, shortLabel } from './object-changes.ts'
import { fieldManager } from './object-requests.ts'
import { withMaskedValues } from './object-text.ts'
import type { Review } from './review.ts'

interface Line {
  glyph: StatusGlyph
  color: string
  text: string
}

/** What the server said to the dry run, and what applying does, in words. */
export function DryRunSection({ cluster, review }: { cluster: Cluster; review: Review }) {
  const changes = changesBetween(withMaskedValues(review.live), withMaskedValues(review.after))
  const { summary, effects } = consequencesOf(review.live, review.after, changes)
  const lines: Line[] = [
    { glyph: 'check', color: 'text-ok', text: 'The server accepts it, with quota and admission.' },
    ...effects.map((text): Line => ({ glyph: 'triangle', color: 'text-warn', text })),
    ...takenOver(review).map((text): Line => ({ glyph: 'info', color: 'text-info', text })),
  ]
  return (
    <Section title={`Dry run on ${cluster.title}`} aside={`${review.tookMs} ms`}>
      <p className="mb-2 font-medium break-words">{summary}</p>
      <ul className="grid gap-1.5">
        {lines.map(({ glyph, color, text }) => (
          <li key={text} className="flex items-start gap-2">
            <span className={cx('flex h-5 shrink-0 items-center', color)}>
              <StatusMark glyph={glyph} />
            </span>
            <span className="min-w-0 break-words">{text}</span>
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** Whose fields these are until now: an applier will set them back, others lose them. */
function takenOver({ live, changes }: Review): string[] {
  const fields = new Map<string, { fields: string[]; isApplier: boolean }>()
  for (const { path, label } of changes) {
    const [owner] = ownersOf(live, path).filter(({ manager }) => manager !== fieldManager)
    if (!owner) continue
    const isApplier = owner.operation === 'Apply'
    const known = fields.get(owner.manager) ?? { fields: [], isApplier }
    known.fields.push(shortLabel(label))
    fields.set(owner.manager, known)
  }
  return [...fields].map(([manager, { fields: names, isApplier }]) => {
    const what = names.length > 2 ? formatCount(names.length, 'field') : names.join(' and ')
    return isApplier
      ? `${manager} applies ${what} itself, and may set ${names.length === 1 ? 'it' : 'them'} back.`
      : `Bey takes ${what} over from ${manager}.`
  })
}
