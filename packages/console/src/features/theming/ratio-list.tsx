import { solvedRatios } from '../../ui/theme/ratios.ts'
import type { SolvedRatio } from '../../ui/theme/ratios.ts'
import type { ThemeSource } from '../../ui/theme/presets.ts'
import { cachedTheme } from './cached-theme.ts'

/** Of what one reads most; the rest is a click away. */
const firstCount = 7

/** The contrast that each colour of a theme came to, beside what it may never be below. */
export function RatioList({ source }: { source: ThemeSource }) {
  const theme = cachedTheme(source)
  const ratios = solvedRatios(theme)
  return (
    <div>
      <Ratios rows={ratios.slice(0, firstCount)} tokens={theme.tokens} />
      <details className="mt-1">
        <summary className="py-1 text-small text-text-2 hover:text-text">
          {ratios.length - firstCount} more: status colours and chart series
        </summary>
        <Ratios rows={ratios.slice(firstCount)} tokens={theme.tokens} />
      </details>
    </div>
  )
}

interface RatiosProps {
  rows: readonly SolvedRatio[]
  tokens: Readonly<Record<string, string>>
}

function Ratios({ rows, tokens }: RatiosProps) {
  return (
    <dl>
      {rows.map((row) => (
        <div key={row.role} className="flex items-center gap-2.5 border-b border-line py-1.5 last:border-b-0">
          <span
            aria-hidden
            className="size-3 shrink-0 rounded-[3px] border border-control"
            style={{ background: tokens[row.role] }}
          />
          <dt className="min-w-0 flex-1">
            {row.label}
            <span className="block text-small text-text-3">on {row.on}</span>
          </dt>
          <dd className="text-right tabular-nums">
            <span className="font-medium">{ratioText(row.ratio)}</span>
            <span className="block text-small text-text-3">at least {row.least}</span>
          </dd>
        </div>
      ))}
    </dl>
  )
}

// Rounded down: a ratio is never printed as better than it is.
function ratioText(ratio: number): string {
  return `${(Math.floor(ratio * 10) / 10).toFixed(1)}:1`
}
