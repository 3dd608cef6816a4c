/** Weeks that a value is compared with, and how many deviations from their median are usual. */
export const differenceRules = { weeks: 4, deviations: 3 } as const

/** `short_history`: too few of the weeks before were measured. */
export const differenceStates = ['usual', 'differs', 'short_history', 'no_data'] as const
export type DifferenceState = (typeof differenceStates)[number]

export interface Difference {
  state: DifferenceState
  now: number | null
  /** The median of the weeks before; null where nothing was measured. */
  usual: number | null
  /** The median absolute deviation, scaled to a standard deviation. */
  deviation: number | null
}

/**
 * Compares a value with those of the same hours of the weeks before, one list a week. It differs when it lies more than
 * three deviations from their median, and the difference shows in the first two digits.
 */
export function differenceOf(now: number | null, weeks: readonly (readonly (number | null)[])[]): Difference {
  const measured = weeks
    .map((week) => week.filter((value) => value !== null))
    .filter((week) => week.length > 0)
  const values = measured.flat()
  if (now === null) return { state: 'no_data', now, usual: median(values), deviation: null }
  if (measured.length < differenceRules.weeks) {
    return { state: 'short_history', now, usual: median(values), deviation: null }
  }
  const usual = median(values) ?? 0
  const deviation = 1.4826 * (median(values.map((value) => Math.abs(value - usual))) ?? 0)
  const isOutside = Math.abs(now - usual) > differenceRules.deviations * deviation
  const isVisible = Number(now.toPrecision(2)) !== Number(usual.toPrecision(2))
  return { state: isOutside && isVisible ? 'differs' : 'usual', now, usual, deviation }
}

export function median(values: readonly number[]): number | null {
  if (values.length === 0) return null
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? 0
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2
}

/** "×21", "÷3" or "+12%", and "from 0" where there was nothing. */
export function differenceText({ now, usual }: Pick<Difference, 'now' | 'usual'>): string {
  if (now === null || usual === null) return ''
  if (usual === 0) return 'from 0'
  const factor = now / usual
  if (factor >= 2) return `×${digits(factor)}`
  if (factor > 0 && factor <= 0.5) return `÷${digits(1 / factor)}`
  const percent = Math.round((factor - 1) * 100)
  return `${percent >= 0 ? '+' : '−'}${Math.abs(percent)}%`
}

const digits = (factor: number) =>
  (factor < 10 ? Number(factor.toPrecision(2)) : Math.round(factor)).toString()

export interface ReadPanel {
  title: string
  state: DifferenceState | 'failed'
  /** By how much it differs: "×21". */
  text: string
}

/** What the panels of a board say together, as the sentence under its title. */
export function boardSentence(panels: readonly ReadPanel[]): string {
  if (panels.length === 0) return 'No panel measures anything yet.'
  const differing = panels.filter(({ state }) => state === 'differs')
  const count = (state: ReadPanel['state']) => panels.filter((panel) => panel.state === state).length
  const failed = count('failed')
  const end = failed > 0 ? ` ${failed} of ${panels.length} cannot be read.` : ''
  if (differing.length > 0) {
    const named = differing.slice(0, 3).map(({ title, text }) => `${lowered(title)} ${text}`.trim())
    const more = differing.length - named.length
    const list = more > 0 ? `${named.join(', ')} and ${more} more` : joinedNames(named)
    return `${differing.length} of ${panels.length} panels ${differing.length === 1 ? 'differs' : 'differ'} from the weeks before: ${list}.${end}`
  }
  if (count('no_data') === panels.length) return 'Nothing was measured in the last hour.'
  const short = count('short_history')
  if (short > 0 && count('usual') === 0)
    return `Too little history to compare with: less than ${differenceRules.weeks} weeks.${end}`
  return `No panel differs from the weeks before${short > 0 ? `; ${short} ${short === 1 ? 'has' : 'have'} too little history` : ''}.${end}`
}

// An abbreviation keeps its capitals.
const lowered = (title: string) =>
  /^[A-Z][a-z]/.test(title) ? title.charAt(0).toLowerCase() + title.slice(1) : title

function joinedNames(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}
