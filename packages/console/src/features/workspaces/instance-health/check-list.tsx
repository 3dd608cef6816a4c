import type { InstanceCheck } from '@bey/contract'
import { formatCount } from '../../../lib/format.ts'
import { cx } from '../../../ui/class-names.ts'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { Section } from '../../../ui/section.tsx'
import { StatusMark } from '../../../ui/status-mark.tsx'
import type { StatusGlyph } from '../../../ui/status-table.ts'

const looks: Record<InstanceCheck['status'], { glyph: StatusGlyph; tone: string; word: string }> = {
  failed: { glyph: 'triangle', tone: 'text-danger', word: 'Failed' },
  warning: { glyph: 'triangle', tone: 'text-warn', word: 'Attention' },
  unknown: { glyph: 'ring', tone: 'text-text-2', word: 'Not checked' },
  ok: { glyph: 'check', tone: 'text-ok', word: 'Good' },
}
const order: readonly InstanceCheck['status'][] = ['failed', 'warning', 'unknown', 'ok']

/** Checks that found something, the worst first, with what to do. */
export function FailedChecks({ checks }: { checks: readonly InstanceCheck[] }) {
  const sorted = checks
    .filter(({ status }) => status !== 'ok')
    .toSorted((one, other) => order.indexOf(one.status) - order.indexOf(other.status))
  return sorted.length === 0 ? null : <Checks title="Needs attention" checks={sorted} />
}

/** Checks that found nothing wrong. */
export function PassedChecks({ checks }: { checks: readonly InstanceCheck[] }) {
  const passed = checks.filter(({ status }) => status === 'ok')
  return passed.length === 0 ? null : (
    <Checks title={`${formatCount(passed.length, 'check')} found nothing wrong`} checks={passed} />
  )
}

function Checks({ title, checks }: { title: string; checks: readonly InstanceCheck[] }) {
  return (
    <Section
      title={title}
      aside={
        <span className="flex items-center gap-1">
          the same as <code className="font-mono">bey doctor</code>
          <CopyButton text="bey doctor" label="Copy the command" />
        </span>
      }
    >
      <ul className="border-t border-line">
        {checks.map(({ id, title: name, status, detail, action }) => {
          const { glyph, tone, word } = looks[status]
          return (
            <li key={id} className="flex gap-3 border-b border-line py-2">
              <span className={cx('flex h-5 items-center', tone)}>
                <StatusMark glyph={glyph} />
                <span className="sr-only">{word}</span>
              </span>
              <div className="min-w-0 flex-1 sm:grid sm:grid-cols-[10rem_minmax(0,1fr)] sm:gap-x-3">
                <h3 className={status === 'ok' ? 'text-text-2' : 'font-medium'}>{name}</h3>
                <div className="break-words">
                  <p className={status === 'ok' ? 'text-text-2' : undefined}>{detail}</p>
                  {action === null ? null : <p className="text-text-2">{action}</p>}
                </div>
              </div>
            </li>
          )
        })}
      </ul>
    </Section>
  )
}
