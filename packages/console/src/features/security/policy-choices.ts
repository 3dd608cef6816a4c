interface Choice {
  value: string
  label: string
}

export const lifeChoices: readonly Choice[] = [
  { value: '', label: 'No limit' },
  { value: '8', label: '8 hours' },
  { value: '12', label: '12 hours' },
  { value: '24', label: '1 day' },
  { value: '168', label: '7 days' },
  { value: '720', label: '30 days' },
]

export const idleChoices: readonly Choice[] = [
  { value: '', label: '30 days' },
  { value: '15', label: '15 minutes' },
  { value: '30', label: '30 minutes' },
  { value: '60', label: '1 hour' },
  { value: '480', label: '8 hours' },
  { value: '1440', label: '1 day' },
  { value: '10080', label: '7 days' },
]

/** When a second factor begins to be required, in days from now; `keep` means the time that is set. */
export const graceChoices: readonly Choice[] = [
  { value: '', label: 'Not required' },
  { value: '0', label: 'Required at once' },
  { value: '7', label: 'Required in 7 days' },
  { value: '14', label: 'Required in 14 days' },
  { value: '30', label: 'Required in 30 days' },
]

/** The time so many days from now. */
export function inDays(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString()
}

export const retentionChoices: readonly Choice[] = [
  { value: '', label: 'No limit' },
  { value: '90', label: '90 days' },
  { value: '365', label: '1 year' },
  { value: '400', label: '400 days' },
  { value: '1095', label: '3 years' },
  { value: '2555', label: '7 years' },
  { value: '3650', label: '10 years' },
]

/** The choices, with a value that another client set among them. */
export function withCurrent(choices: readonly Choice[], value: number | null, unit: string): Choice[] {
  const isKnown = value === null || choices.some((choice) => choice.value === String(value))
  return isKnown ? [...choices] : [...choices, { value: String(value), label: `${value} ${unit}` }]
}

/** What was typed, one thing a line or between commas. */
export function linesOf(text: string): string[] {
  return text
    .split(/[\n,]/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

/** How long the audit log is kept, as a sentence. */
export function retentionText(days: number | null | undefined): string {
  if (days === undefined) return ''
  if (days === null) return 'Entries are kept without a limit of time.'
  const label = retentionChoices.find(({ value }) => value === String(days))?.label ?? `${days} days`
  return `Entries are kept for ${label}, then removed with a signed mark.`
}

/** What the choice of a number means: none for the empty one. */
export function chosenNumber(value: string): number | null {
  return value === '' ? null : Number(value)
}
