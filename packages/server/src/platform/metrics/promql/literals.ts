import type { SyntaxNode } from '@lezer/common'

import { refuse } from './refuse.ts'

const units: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
  y: 31_536_000_000,
}

/** The length of a duration such as `1h30m`, or of a number of seconds, in ms. Undefined where it is neither. */
export function durationMs(text: string): number | undefined {
  const bare = text.trim().replaceAll(/[()\s]/g, '')
  const sign = bare.startsWith('-') ? -1 : 1
  const body = bare.replace(/^[+-]/, '')
  if (/^(?:\d+(?:ms|[smhdwy]))+$/.test(body)) {
    let total = 0
    for (const [, count, unit = ''] of body.matchAll(/(\d+)(ms|[smhdwy])/g))
      total += Number(count) * (units[unit] ?? 0)
    return sign * total
  }
  const seconds = Number(body)
  return body === '' || !Number.isFinite(seconds) ? undefined : sign * seconds * 1_000
}

/** Throws AppError `invalid_request` for durations that are computed from others. */
export function readDuration(text: string, node: SyntaxNode): number {
  const written = text.slice(node.from, node.to)
  const ms = durationMs(written)
  if (ms === undefined || Math.abs(ms) > 10 * (units['y'] ?? 0)) {
    return refuse(
      text,
      node,
      `"${written.slice(0, 40)}" is no duration such as 5m or 1h30m of at most 10 years.`,
    )
  }
  return ms
}

/** A number as PromQL writes it; a duration counts its seconds. */
export function readNumber(text: string, node: SyntaxNode): number {
  const written = text.slice(node.from, node.to).toLowerCase().replaceAll('_', '')
  const sign = written.startsWith('-') ? -1 : 1
  const body = written.replace(/^[+-]/, '').trim()
  if (body === 'inf' || body === 'infinity') return sign * Number.POSITIVE_INFINITY
  if (body === 'nan') return Number.NaN
  const value = Number(body)
  if (body !== '' && !Number.isNaN(value)) return sign * value
  const ms = durationMs(body)
  return ms === undefined ? refuse(text, node, `"${body.slice(0, 40)}" is no number.`) : (sign * ms) / 1_000
}

const escapes: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
}

/** The value of a quoted text. In backquotes nothing is escaped; else the escapes of Go hold. */
export function readString(text: string, node: SyntaxNode): string {
  const quote = text[node.from]
  const inner = text.slice(node.from + 1, node.to - 1)
  if (quote === '`') return inner
  return inner.replaceAll(
    /\\(x[\dA-Fa-f]{2}|u[\dA-Fa-f]{4}|U[\dA-Fa-f]{8}|[0-7]{3}|.)/gs,
    (_, escape: string) => {
      if (/^[xuU]./.test(escape)) return codePoint(Number.parseInt(escape.slice(1), 16))
      if (/^[0-7]{3}$/.test(escape)) return codePoint(Number.parseInt(escape, 8))
      return escapes[escape] ?? escape
    },
  )
}

const codePoint = (code: number) => (code > 0x10_ff_ff ? '\uFFFD' : String.fromCodePoint(code))
