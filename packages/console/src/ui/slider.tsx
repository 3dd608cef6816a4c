import { useId, useState } from 'react'
import type { CSSProperties } from 'react'
import { cx } from './class-names.ts'
import { controlClass } from './input.tsx'

export interface SliderProps {
  label: string
  value: number
  /** The least is 0. */
  max: number
  /** Of the slider; the number takes tenths. */
  step: number
  unit?: string
  /** CSS image of the track: what each place would give. */
  track?: string | undefined
  onChange: (value: number) => void
}

/** A number within bounds, by dragging, by arrow keys and by typing. */
export function Slider({ label, value, max, step, unit = '', track, onChange }: SliderProps) {
  const id = useId()
  // What is being typed is left alone until it is a number within the bounds.
  const [typed, setTyped] = useState<string>()
  const number = Number(typed)
  const isInvalid = typed !== undefined && (typed === '' || !(number >= 0 && number <= max))
  const type = (text: string) => {
    setTyped(text)
    const next = Number(text)
    if (text !== '' && next >= 0 && next <= max) onChange(tenths(next))
  }
  return (
    <div className="grid grid-cols-[4.75rem_minmax(0,1fr)_4.25rem] items-center gap-3">
      <label htmlFor={id} className="text-text-2">
        {label}
      </label>
      <input
        id={id}
        type="range"
        min={0}
        max={max}
        step={step}
        value={value}
        aria-valuetext={`${value}${unit}`}
        onChange={(event) => onChange(tenths(event.target.valueAsNumber))}
        style={track ? trackStyle(track) : undefined}
        className="slider"
      />
      <input
        type="number"
        inputMode="decimal"
        aria-label={`${label} as a number`}
        aria-invalid={isInvalid || undefined}
        min={0}
        max={max}
        step={0.1}
        value={typed ?? value}
        onChange={(event) => type(event.target.value)}
        onBlur={() => setTyped(undefined)}
        className={cx(
          controlClass,
          'h-7 px-2 text-right tabular-nums [appearance:textfield] touch:h-9 [&::-webkit-inner-spin-button]:appearance-none',
        )}
      />
    </div>
  )
}

function trackStyle(track: string): CSSProperties & Record<'--track', string> {
  return { '--track': track }
}

function tenths(value: number): number {
  return Math.round(value * 10) / 10
}
