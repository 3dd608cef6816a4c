import type { ConnectionCheck, ConnectionTest } from '@bey/contract'
import { cx } from '../../ui/class-names.ts'
import { StatusMark } from '../../ui/status-mark.tsx'
import type { StatusGlyph } from '../../ui/status-table.ts'

const labels: Readonly<Record<ConnectionCheck, string>> = {
  name: 'Name resolves',
  address: 'Address allowed',
  connection: 'Connection',
  certificate: 'Certificate',
  kubernetes: 'Kubernetes',
  identity: 'Identity',
  rights: 'Rights',
  metrics: 'Metrics',
}

type State = ConnectionTest['checks'][number]['state']

const looks: Readonly<Record<State, { glyph: StatusGlyph; tone: string; word: string }>> = {
  ok: { glyph: 'check', tone: 'text-ok', word: 'passed' },
  warning: { glyph: 'triangle', tone: 'text-warn', word: 'passed with a warning' },
  failed: { glyph: 'triangle', tone: 'text-danger', word: 'failed' },
  skipped: { glyph: 'ring', tone: 'text-text-3', word: 'not tried' },
}

/** The checks of a connection in their order, down to where it stopped. */
export function ConnectionChecks({ checks }: { checks: ConnectionTest['checks'] }) {
  return (
    <ol aria-label="Checks" className="divide-y divide-line">
      {checks.map(({ key, state, detail }) => {
        const { glyph, tone, word } = looks[state]
        return (
          <li key={key} className="flex items-baseline gap-2 py-1">
            <span className={cx('flex h-4 items-center self-center', tone)}>
              <StatusMark glyph={glyph} />
            </span>
            <span className="shrink-0">
              {labels[key]}
              <span className="sr-only"> {word}</span>
            </span>
            <span className="ml-auto min-w-0 text-right text-text-2">{detail}</span>
          </li>
        )
      })}
    </ol>
  )
}
