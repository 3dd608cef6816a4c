/** Exact decimal arithmetic: values are integers of 10⁻¹⁸. Money is never a floating-point number. */
export type Decimal = bigint

const digits = 18
const one = 10n ** BigInt(digits)

/** Reads decimal text; digits beyond the 18th after the point are cut off. */
export function decimalOf(text: string): Decimal {
  const isNegative = text.startsWith('-')
  const [whole = '0', fraction = ''] = (isNegative ? text.slice(1) : text).split('.')
  const value = BigInt(whole) * one + BigInt(fraction.slice(0, digits).padEnd(digits, '0'))
  return isNegative ? -value : value
}

/** Decimal text with `places` digits after the point, rounded half away from zero, as `round` of PostgreSQL does. */
export function decimalText(value: Decimal, places = 6): string {
  const unit = 10n ** BigInt(digits - places)
  const magnitude = value < 0n ? -value : value
  const rounded = (magnitude + unit / 2n) / unit
  const text = String(rounded).padStart(places + 1, '0')
  const whole = text.slice(0, text.length - places)
  const body = places === 0 ? whole : `${whole}.${text.slice(-places)}`
  return value < 0n && rounded !== 0n ? `-${body}` : body
}

export const times = (a: Decimal, b: Decimal): Decimal => (a * b) / one

/** Throws RangeError where `b` is 0. */
export const dividedBy = (a: Decimal, b: Decimal): Decimal => (a * one) / b

export const sumOf = (values: Iterable<Decimal>): Decimal => {
  let sum = 0n
  for (const value of values) sum += value
  return sum
}

/** For statistics and texts, not for money that is shown as exact. */
export const approximately = (value: Decimal): number => Number(value) / 1e18

/** A number as a decimal of 6 digits, for what is estimated. */
export const estimated = (value: number): Decimal => decimalOf(value.toFixed(6))
