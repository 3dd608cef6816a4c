import type { CSSProperties, KeyboardEvent } from 'react'
import { momentText } from '../../../ui/time-text.ts'

const secondMs = 1_000

/** Lies unseen over a picture of time and chooses a moment on it by the second, also with the keys of a slider. */
export function MomentSlider({
  fromMs,
  toMs,
  atMs,
  onChoose,
  onKeyDown,
  className,
  style,
}: {
  fromMs: number
  toMs: number
  /** Undefined while no moment can be chosen. */
  atMs: number | undefined
  onChoose: (ms: number) => void
  onKeyDown?: (event: KeyboardEvent<HTMLInputElement>) => void
  className: string
  style?: CSSProperties
}) {
  return (
    <input
      type="range"
      aria-label="Moment to restore"
      min={0}
      max={Math.floor((toMs - fromMs) / secondMs)}
      step={1}
      value={Math.round(((atMs ?? toMs) - fromMs) / secondMs)}
      aria-valuetext={
        atMs === undefined ? 'No moment can be restored' : momentText(new Date(atMs).toISOString())
      }
      onKeyDown={onKeyDown}
      onChange={({ target }) => onChoose(fromMs + target.valueAsNumber * secondMs)}
      className={`absolute cursor-pointer opacity-0 ${className}`}
      style={style}
    />
  )
}
