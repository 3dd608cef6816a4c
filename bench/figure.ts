/** A measured figure, and what it is held against. */
export interface Figure {
  name: string
  value: number
  unit: 'µs' | 'ms' | '×' | 'KB' | 'MB' | '/s' | '%' | ''
  /** The value that the figure should keep to; a figure without one is only shown. */
  goal?: number
  /** Where more is better; less is better otherwise. */
  isAtLeast?: boolean
  /** What it is held against. */
  detail?: string
  /** Why the goal is missed, where it is. */
  cause?: string
}

/** Prints a figure beside its goal, and sends it to the process that started the benchmark. */
export function report(figure: Figure): void {
  process.send?.({ figure })
  console.log(`  ${figure.name.padEnd(52)} ${figureText(figure)}`)
}

export function figureText(figure: Figure): string {
  const goal = goalText(figure)
  const isMiss = isMissed(figure)
  const notes = [
    goal && `goal ${goal}${isMiss ? ', missed' : ''}`,
    figure.detail,
    isMiss ? figure.cause : undefined,
  ]
  const text = notes.filter(Boolean).join('; ')
  return `${valueText(figure.value, figure.unit)}${text ? `  (${text})` : ''}`
}

export function goalText({ goal, isAtLeast, unit }: Figure): string {
  if (goal === undefined) return ''
  return `${isAtLeast ? 'at least' : 'at most'} ${valueText(goal, unit)}`
}

export function isMissed({ value, goal, isAtLeast }: Figure): boolean {
  if (goal === undefined) return false
  return isAtLeast ? value < goal : value > goal
}

/** Missed by more than a tenth, which noise does not explain. */
export function isMissedClearly({ value, goal, isAtLeast }: Figure): boolean {
  if (goal === undefined) return false
  return isAtLeast ? value < goal * 0.9 : value > goal * 1.1
}

export function valueText(value: number, unit: Figure['unit']): string {
  return `${shortNumber(value)}${unit && ` ${unit}`}`
}

/** Three digits that matter; whole numbers stay whole. */
function shortNumber(value: number): string {
  if (Number.isInteger(value)) return value.toLocaleString('en')
  const size = Math.abs(value)
  if (size >= 100) return Math.round(value).toLocaleString('en')
  return size >= 10 ? value.toFixed(1) : size >= 0.01 ? value.toFixed(2) : value.toFixed(4)
}
