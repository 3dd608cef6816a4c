import { objectPath } from '@bey/contract'
import { absent, formatNumber } from '../../../lib/format.ts'
import { Link } from '../../../ui/link.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { Status } from '../../../ui/status.tsx'
import type { PanelValue } from './panel-parts.ts'

/** Draws what a panel says at one place; references lead to the page of their object. */
export function PanelValueView({ value, clusterId }: { value: PanelValue; clusterId: number }) {
  if (value === null) return <span className="text-text-3">{absent}</span>
  if (typeof value === 'string') return value
  if (typeof value === 'number') return formatNumber(value)
  if (isList(value)) {
    return (
      <ul className="grid gap-0.5">
        {value.map((each, index) => (
          // A value has no name of its own, and the list is drawn anew with its object.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={index}>
            <PanelValueView value={each} clusterId={clusterId} />
          </li>
        ))}
      </ul>
    )
  }
  if ('at' in value) return <RelativeTime at={value.at} />
  if ('status' in value) return <Status status={value.status} label={value.label} />
  if ('code' in value) return <code className="font-mono text-small break-all">{value.code}</code>
  return (
    <Link
      href={objectPath({ clusterId, ...value.ref })}
      className="rounded-badge break-words underline decoration-line-strong underline-offset-2 hover:text-accent-text"
    >
      {value.text ?? value.ref.name}
    </Link>
  )
}

function isList(value: PanelValue): value is readonly PanelValue[] {
  return Array.isArray(value)
}
