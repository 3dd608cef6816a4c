import type { SecretType } from '@bey/contract'
import { secretFields } from '@bey/contract'
import { useEffect, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import type { RevealedValue } from './use-reveal.ts'

/** A value on screen, with the seconds until it is hidden. */
export function ShownValue({
  type,
  shown,
  isCurrent,
  onHide,
}: {
  type: SecretType
  shown: RevealedValue & { untilMs: number }
  /** The facts beside it are of the same version. */
  isCurrent: boolean
  onHide: () => void
}) {
  const { value } = shown
  const fields = secretFields[type]
  const labels = new Map(fields.map(({ name, label }) => [name, label]))
  // What is no secret stands among the facts already; of an older version it may differ, so there all is shown.
  const known = fields
    .filter(({ isPublic, isLong }) => isCurrent && isPublic && !isLong)
    .map(({ name }) => name)
  const parts =
    typeof value === 'string'
      ? [['Value', value] as const]
      : Object.entries(value).filter(([name]) => !known.includes(name))
  return (
    <div className="flex flex-col gap-3">
      {parts.map(([name, text]) => (
        <ValuePart key={name} label={labels.get(name) ?? name} text={text} />
      ))}
      {shown.encoding === 'base64' ? (
        <p className="text-small text-text-3">The value is binary, shown as Base64.</p>
      ) : null}
      <div className="flex items-center justify-between gap-3">
        <SecondsLeft untilMs={shown.untilMs} />
        <Button size="small" onClick={onHide}>
          Hide
        </Button>
      </div>
    </div>
  )
}

function ValuePart({ label, text }: { label: string; text: string }) {
  return (
    <div>
      <p className="mb-1 text-small text-text-2">{label}</p>
      <div className="flex items-start rounded-control border border-line bg-sunken">
        <pre
          // A section would lose the whitespace that pre keeps.
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
          role="region"
          aria-label={label}
          // A box that scrolls must be reachable by keyboard.
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
          tabIndex={0}
          className="max-h-48 min-w-0 flex-1 overflow-auto p-2.5 font-mono text-small break-all whitespace-pre-wrap"
        >
          {text}
        </pre>
        <div className="p-1">
          <CopyButton text={text} label={`Copy ${label.toLowerCase()}`} />
        </div>
      </div>
    </div>
  )
}

export function SecondsLeft({ untilMs }: { untilMs: number }) {
  const [left, setLeft] = useState(() => secondsUntil(untilMs))
  useEffect(() => {
    const timer = setInterval(() => setLeft(secondsUntil(untilMs)), 1_000)
    return () => clearInterval(timer)
  }, [untilMs])
  return <span className="text-small text-text-2 tabular-nums">Hidden again in {left} s</span>
}

function secondsUntil(ms: number): number {
  return Math.max(0, Math.ceil((ms - Date.now()) / 1_000))
}
