import { themeBounds } from '@bey/contract'
import type { ThemeSource } from '../../ui/theme/presets.ts'

const prefix = 'bey1'
const checkSize = 36n ** 2n
const bodyLength = 15
/** Tenths of every part, in the order in which they are packed. */
const sizes = [
  themeBounds.lightness,
  themeBounds.chroma,
  themeBounds.hue,
  themeBounds.lightness,
  themeBounds.chroma,
  themeBounds.hue,
  themeBounds.contrast,
].map((max) => BigInt(max * 10 + 1))

/** Base, accent and contrast as a short text for somebody else: `bey1-xxxxx-xxxxx-xxxxx-xx`. Tenths survive, finer parts do not. */
export function shareCode({ base, accent, contrast }: ThemeSource): string {
  const tenths = [...base, ...accent, contrast].map((value) => BigInt(Math.round(value * 10)))
  const packed = tenths.reduce((sum, value, index) => sum * (sizes[index] ?? 1n) + value, 0n)
  const body = packed.toString(36).padStart(bodyLength, '0')
  const check = checkOf(packed).toString(36).padStart(2, '0')
  return [prefix, body.slice(0, 5), body.slice(5, 10), body.slice(10), check].join('-')
}

export type ReadCode = { source: ThemeSource } | { error: string }

/** The colours of a code, or a sentence that says why it is invalid. */
export function readShareCode(text: string): ReadCode {
  const letters = text.trim().toLowerCase().replaceAll(/[\s-]/g, '')
  if (letters === '') return { error: 'Paste the code of a theme first.' }
  const version = /^bey(\d)/.exec(letters)?.[1]
  if (version === undefined || !/^[a-z0-9]+$/.test(letters)) {
    return { error: 'This is not the code of a theme. A code looks like bey1-xxxxx-xxxxx-xxxxx-xx.' }
  }
  if (version !== '1')
    return { error: 'This code was made by another version of Bey, which writes them differently.' }
  const body = letters.slice(prefix.length)
  const packed = body.length === bodyLength + 2 ? numberOf(body.slice(0, bodyLength)) : -1n
  if (packed < 0n || checkOf(packed) !== numberOf(body.slice(bodyLength))) {
    return { error: 'This code is incomplete or mistyped. Copy it again in full.' }
  }
  return { source: unpack(packed) }
}

function unpack(packed: bigint): ThemeSource {
  let rest = packed
  const values: number[] = []
  for (const size of sizes.toReversed()) {
    values.unshift(Number(rest % size) / 10)
    rest /= size
  }
  const [l = 0, c = 0, h = 0, accentL = 0, accentC = 0, accentH = 0, contrast = 0] = values
  return { base: [l, c, h], accent: [accentL, accentC, accentH], contrast }
}

function numberOf(digits: string): bigint {
  let sum = 0n
  for (const digit of digits) sum = sum * 36n + BigInt(Number.parseInt(digit, 36))
  return sum
}

// A prime below the number of two digits: every single wrong digit and every swap of two changes it.
function checkOf(packed: bigint): bigint {
  return (packed * 7n + 11n) % (checkSize - 5n)
}
