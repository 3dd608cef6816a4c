import { absent } from '../../lib/format.ts'

const formats = new Map<string, Intl.NumberFormat>()

/** `€7,310.25`; `places` 0 for what is estimated. An amount that would show as 0 and is not keeps its digits. */
export function moneyText(amount: string | null | undefined, currency: string, places = 2): string {
  if (amount == null) return absent
  const value = Number(amount)
  return formatOf(currency, value !== 0 && Math.abs(value) < 0.005 ? 6 : places)
    .format(value)
    .replace('-', '−')
}

/** An estimated amount: `€288`; below 10 with two digits after the point. */
export function estimateText(amount: string, currency: string): string {
  return moneyText(amount, currency, Math.abs(Number(amount)) >= 10 ? 0 : 2)
}

/** `+€288`, `−€96`. */
export function changeText(amount: string, currency: string): string {
  const value = Number(amount)
  const places = Math.abs(value) >= 100 ? 0 : 2
  return `${value > 0 ? '+' : ''}${moneyText(amount, currency, places)}`
}

/** A quantity with at most 3 digits after the point. */
export function quantityText(value: string): string {
  return new Intl.NumberFormat('en', { maximumFractionDigits: 3 }).format(Number(value)).replace('-', '−')
}

function formatOf(currency: string, places: number): Intl.NumberFormat {
  const key = `${currency} ${places}`
  const known = formats.get(key)
  if (known) return known
  const options = { minimumFractionDigits: places, maximumFractionDigits: places }
  const made = isCurrency(currency)
    ? new Intl.NumberFormat('en', { style: 'currency', currency, ...options })
    : new Intl.NumberFormat('en', options)
  formats.set(key, made)
  return made
}

const isCurrency = (code: string) => /^[A-Z]{3}$/.test(code)

/** `November`, or with its year where that is another one than `than`. */
export function monthText(month: string, than?: string): string {
  const hasYear = than !== undefined && than.slice(0, 4) !== month.slice(0, 4)
  return new Intl.DateTimeFormat('en', {
    month: 'long',
    ...(hasYear && { year: 'numeric' }),
    timeZone: 'UTC',
  }).format(new Date(`${month}-01T00:00:00Z`))
}

/** The month before or after. */
export function shiftMonth(month: string, by: number): string {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number - 1 + by, 1)).toISOString().slice(0, 7)
}

/** `4,600 runs`, `12 GB-hours`. */
export function unitText(unit: string): string {
  const name = unit.replace(' × ', '-')
  return name === 'GB' ? name : `${name}s`
}

/** `2,428.80`, where the head of a column names the currency. */
export function figureText(amount: string | undefined): string {
  if (amount === undefined) return absent
  const options = { minimumFractionDigits: 2, maximumFractionDigits: 2 }
  return Number(amount).toLocaleString('en', options).replace('-', '−')
}

/** `€7.5K`, for axes with little room; below 1,000 with the digits that tell their `step` apart. */
export function axisMoneyText(value: number, currency: string, step: number, isShort: boolean): string {
  const places = step > 0 ? Math.max(0, decimalsOf(step)) : 0
  if (!isShort || value < 1_000) return formatOf(currency, places).format(value)
  if (!isCurrency(currency)) return String(value)
  const options = { style: 'currency', currency, notation: 'compact', maximumFractionDigits: 1 } as const
  return new Intl.NumberFormat('en', options).format(value)
}

/** Digits after the point of a round number: 2 of `0.25`, 0 of `50`. */
function decimalsOf(step: number): number {
  const magnitude = -Math.floor(Math.log10(step))
  return Number.isInteger(Math.round(step * 10 ** (magnitude + 1)) / 10) ? magnitude : magnitude + 1
}
