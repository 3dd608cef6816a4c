import { parseQuantity } from '../quantity.ts'

/** A span of time the way kubectl prints ages: `45s`, `8m39s`, `3h12m`, `5d4h`, `90d`, `3y20d`. */
export function ageText(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  if (seconds < -1) return '<invalid>'
  if (seconds < 0) return '0s'
  if (seconds < 120) return `${seconds}s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 10) return seconds % 60 === 0 ? `${minutes}m` : `${minutes}m${seconds % 60}s`
  if (minutes < 180) return `${minutes}m`
  const hours = Math.floor(minutes / 60)
  if (hours < 8) return minutes % 60 === 0 ? `${hours}h` : `${hours}h${minutes % 60}m`
  if (hours < 48) return `${hours}h`
  const days = Math.floor(hours / 24)
  if (hours < 192) return hours % 24 === 0 ? `${days}d` : `${days}d${hours % 24}h`
  if (days < 730) return `${days}d`
  const years = Math.floor(days / 365)
  if (days < 365 * 8) return days % 365 === 0 ? `${years}y` : `${years}y${days % 365}d`
  return `${years}y`
}

/** The age of a moment, `<unknown>` without one. */
export function since(time: string | undefined, nowMs: number): string {
  return time === undefined ? '<unknown>' : ageText(nowMs - Date.parse(time))
}

export function orNone(text: string | undefined): string {
  return text === undefined || text === '' ? '<none>' : text
}

/** Milli-units where the quantity has them: what the HPA columns show. */
export function milli(text: string | undefined): string {
  const value = parseQuantity(text)
  if (value === undefined) return '<unknown>'
  return Number.isInteger(value) ? String(value) : `${Math.round(value * 1000)}m`
}
