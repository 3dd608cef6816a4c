import { cx } from '../../ui/class-names.ts'
import type { Box } from './box.ts'
import { useBoxes } from './use-boxes.ts'

export interface OutlinesProps {
  elements: readonly Element[]
  /** Shown at the first box: the component's name. */
  label?: string | undefined
  /** A tint over the boxes beside their border. */
  isFilled?: boolean
}

/** Borders around elements of the page; nothing of it can be hit. */
export function Outlines({ elements, label, isFilled = false }: OutlinesProps) {
  const boxes = useBoxes(elements)
  return boxes.map((box, index) => (
    <Outline key={index} box={box} isFilled={isFilled} label={index === 0 ? label : undefined} />
  ))
}

export interface OutlineProps {
  box: Box
  label?: string | undefined
  isFilled?: boolean
  isDashed?: boolean
}

const labelHeightPx = 20

export function Outline({ box, label, isFilled, isDashed }: OutlineProps) {
  // It has left the page.
  if (box.width === 0 && box.height === 0 && !isDashed) return null
  const isLabelInside = box.top < labelHeightPx
  return (
    <div
      aria-hidden
      style={box}
      className={cx(
        'pointer-events-none fixed rounded-badge border-2 border-accent',
        isFilled && 'bg-accent-soft',
        isDashed && 'border-dashed',
      )}
    >
      {label ? (
        <span
          className={cx(
            'absolute -left-0.5 max-w-72 truncate bg-accent px-1.5 text-meta leading-5 font-medium whitespace-nowrap text-accent-label',
            isLabelInside ? 'top-0 rounded-br-badge' : '-top-5 rounded-t-badge',
          )}
        >
          {label}
        </span>
      ) : null}
    </div>
  )
}
