import { objectPath } from '@bey/contract'
import { formatCount } from '../../lib/format.ts'
import { cx } from '../../ui/class-names.ts'
import { Link } from '../../ui/link.tsx'
import { StatusMark } from '../../ui/status-mark.tsx'
import type { StatusGlyph } from '../../ui/status-table.ts'
import type { DocumentOutcome, DocumentResult } from '../../entities/kubernetes/manifests/apply-manifest.ts'
import { documentKey } from '../../entities/kubernetes/manifests/apply-manifest.ts'
import { changeText, shortLabel } from '../../entities/kubernetes/yaml/object-changes.ts'

const looks: Record<DocumentOutcome['state'], { label: string; glyph: StatusGlyph; color: string }> = {
  create: { label: 'will be created', glyph: 'ring', color: 'text-text-2' },
  created: { label: 'created', glyph: 'check', color: 'text-ok' },
  change: { label: 'will be changed', glyph: 'half', color: 'text-text-2' },
  changed: { label: 'changed', glyph: 'check', color: 'text-ok' },
  unchanged: { label: 'unchanged', glyph: 'check', color: 'text-text-3' },
  later: { label: 'checked later', glyph: 'clock', color: 'text-text-3' },
  running: { label: 'under way', glyph: 'half', color: 'text-info' },
  refused: { label: 'refused', glyph: 'triangle', color: 'text-danger' },
}

const maxChanges = 5

/** Each document of a manifest with what applying it does, or did. */
export function DocumentResults({
  clusterId,
  results,
  onShow,
}: {
  clusterId: number
  results: readonly DocumentResult[]
  /** Shows a document in the editor. */
  onShow: (result: DocumentResult) => void
}) {
  return (
    <ul aria-label="Documents" className="grid gap-px">
      {results.map((result) => {
        const { document, outcome, namespace, resource } = result
        const look = looks[outcome.state]
        const isThere =
          outcome.state === 'created' || outcome.state === 'changed' || outcome.state === 'unchanged'
        return (
          <li key={documentKey(document)} className="flex gap-2 border-b border-line py-2 last:border-b-0">
            <span className={cx('flex h-5 shrink-0 items-center', look.color)}>
              <StatusMark glyph={look.glyph} />
            </span>
            <div className="min-w-0 flex-1">
              <p className="flex flex-wrap justify-between gap-x-3">
                {isThere && resource ? (
                  <Link href={objectPath({ clusterId, resource, namespace, name: document.name })}>
                    {document.kind} {document.name}
                  </Link>
                ) : (
                  <button
                    type="button"
                    className="min-w-0 text-left font-medium break-words hover:underline"
                    onClick={() => onShow(result)}
                  >
                    {document.kind} {document.name}
                  </button>
                )}
                <span className="text-small text-text-2">{look.label}</span>
              </p>
              {namespace ? <p className="text-small text-text-3">{namespace}</p> : null}
              <OutcomeText outcome={outcome} />
            </div>
          </li>
        )
      })}
    </ul>
  )
}

function OutcomeText({ outcome }: { outcome: DocumentOutcome }) {
  switch (outcome.state) {
    case 'change':
    case 'changed':
      return (
        <p className="font-mono text-small break-words text-text-2">
          {outcome.changes
            .slice(0, maxChanges)
            .map((each) => `${shortLabel(each.label)} ${changeText(each)}`)
            .join(', ')}
          {outcome.changes.length > maxChanges
            ? `, and ${formatCount(outcome.changes.length - maxChanges, 'more field')}`
            : ''}
        </p>
      )
    case 'later':
    case 'running':
      return <p className="text-small text-text-2">{outcome.reason}</p>
    case 'refused':
      return <p className="text-small break-words text-danger">{outcome.refusal.message}</p>
    case 'create':
    case 'created':
    case 'unchanged':
      return null
  }
}
