import { themeBounds } from '@bey/contract'
import type { LchTriple } from '@bey/contract'
import { Check } from 'lucide-react'
import { cx } from '../../ui/class-names.ts'
import { Slider } from '../../ui/slider.tsx'
import { cssOf, oklchOfCieLch } from '../../ui/theme/color.ts'
import { labelOn } from '../../ui/theme/solve.ts'

export interface Swatch {
  name: string
  color: LchTriple
}

export interface ColorPickerProps {
  label: string
  hint: string
  value: LchTriple
  swatches: readonly Swatch[]
  onChange: (color: LchTriple) => void
}

const css = (color: LchTriple) => cssOf(oklchOfCieLch(color))

/** A colour by lightness, chroma and hue, or from a few that go well. */
export function ColorPicker({ label, hint, value, swatches, onChange }: ColorPickerProps) {
  const [lightness, chroma, hue] = value
  return (
    <fieldset>
      <legend className="mb-2 flex items-center gap-2 font-medium">
        <span
          aria-hidden
          className="size-4 rounded-badge border border-control"
          style={{ background: css(value) }}
        />
        {label}
      </legend>
      <p className="mb-3 text-small text-text-3">{hint}</p>
      <div className="mb-3 flex flex-wrap gap-1.5">
        {swatches.map((swatch) => (
          <SwatchButton
            key={swatch.name}
            swatch={swatch}
            isShown={swatch.color.every((part, index) => part === value[index])}
            onPick={() => onChange(swatch.color)}
          />
        ))}
      </div>
      <div className="flex flex-col gap-1.5">
        <Slider
          label="Lightness"
          value={lightness}
          max={themeBounds.lightness}
          step={0.5}
          track={trackOf((share) => [share * themeBounds.lightness, chroma, hue])}
          onChange={(next) => onChange([next, chroma, hue])}
        />
        <Slider
          label="Chroma"
          value={chroma}
          max={themeBounds.chroma}
          step={0.5}
          track={trackOf((share) => [lightness, share * themeBounds.chroma, hue])}
          onChange={(next) => onChange([lightness, next, hue])}
        />
        <Slider
          label="Hue"
          value={hue}
          max={themeBounds.hue}
          step={1}
          unit="°"
          // A grey has no hue to show: the track then shows where one would lead.
          track={trackOf((share) => [lightness, Math.max(chroma, 30), share * themeBounds.hue])}
          onChange={(next) => onChange([lightness, chroma, next])}
        />
      </div>
    </fieldset>
  )
}

interface SwatchButtonProps {
  swatch: Swatch
  isShown: boolean
  onPick: () => void
}

function SwatchButton({ swatch, isShown, onPick }: SwatchButtonProps) {
  return (
    <button
      type="button"
      aria-label={swatch.name}
      aria-pressed={isShown}
      data-tooltip={swatch.name}
      onClick={onPick}
      style={{ background: css(swatch.color), color: css(inkOn(swatch.color)) }}
      className={cx(
        'flex size-7 items-center justify-center rounded-control border touch:size-9',
        isShown ? 'border-text' : 'border-control',
      )}
    >
      {isShown ? <Check size={14} strokeWidth={3} aria-hidden /> : null}
    </button>
  )
}

function inkOn(color: LchTriple): LchTriple {
  return [labelOn(oklchOfCieLch(color)).isLight ? 100 : 0, 0, 0]
}

const stops = Array.from({ length: 13 }, (_, index) => index / 12)

/** What each place of a slider would give, as a gradient. */
function trackOf(colorAt: (share: number) => LchTriple): string {
  return `linear-gradient(to right, ${stops.map((share) => css(colorAt(share))).join(', ')})`
}
