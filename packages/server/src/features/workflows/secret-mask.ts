/** Replaces every known secret value of a text. */
export type Mask = (text: string) => string

export const maskedText = '•••'

/** Shorter values stand in ordinary words; whoever records them leaves out the whole field. */
const shortestMasked = 4
/** A line of a longer value, such as a key in PEM, is masked by itself from this length on. */
const shortestLine = 12
/** Base64 within a longer text begins at one of three places; what is left of a value then has to be telling. */
const shortestShifted = 8

/**
 * A mask for these values as they are, in base64 (also within a longer text, as in `Authorization: Basic`), URL-encoded
 * and as they stand within JSON; each line of a value of several lines as well.
 */
export function createMask(values: Iterable<string>): Mask {
  const forms = new Set<string>()
  for (const value of new Set(values)) for (const form of formsOf(value)) forms.add(form)
  if (forms.size === 0) return (text) => text
  // The longest first, so that no rest of a longer form is left.
  const sources = [...forms].toSorted((a, b) => b.length - a.length).map((form) => escaped(form))
  const pattern = new RegExp(sources.join('|'), 'g')
  return (text) => text.replace(pattern, maskedText)
}

/** A copy of JSON in which every text and every name of a field is masked. */
export function maskJson<T>(value: T, mask: Mask): T {
  // The shape is kept, only texts within it change.
  return masked(value, mask) as T
}

function masked(value: unknown, mask: Mask): unknown {
  if (typeof value === 'string') return mask(value)
  // A secret of digits may have become a number.
  if (typeof value === 'number') return mask(String(value)) === String(value) ? value : maskedText
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => masked(item, mask))
  const copy: Record<string, unknown> = {}
  for (const [name, member] of Object.entries(value)) {
    Object.defineProperty(copy, mask(name), {
      value: masked(member, mask),
      enumerable: true,
      configurable: true,
      writable: true,
    })
  }
  return copy
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
}

function* formsOf(value: string): Generator<string> {
  const lines = value.split(/\r?\n/).map((line) => line.trim())
  const parts = lines.length > 1 ? lines.filter((line) => line.length >= shortestLine) : []
  for (const part of new Set([value, value.trim(), ...parts])) {
    if (part.length >= shortestMasked) yield* encodings(part)
  }
}

function* encodings(text: string): Generator<string> {
  const encoded = encodeURIComponent(text.toWellFormed())
  yield text
  yield encoded
  yield encoded.replaceAll('%20', '+')
  yield encoded.replaceAll(/%[0-9A-F]{2}/g, (byte) => byte.toLowerCase())
  const json = JSON.stringify(text).slice(1, -1)
  yield json
  // JSON within JSON, as in a log line that contains a reply.
  yield JSON.stringify(json).slice(1, -1)
  yield Buffer.from(text).toString('hex')
  for (const form of base64Forms(Buffer.from(text))) {
    yield form
    yield form.replaceAll('+', '-').replaceAll('/', '_')
    yield encodeURIComponent(form)
  }
}

/** Base64 of the bytes alone, and the part of it that is the same wherever they stand within longer bytes. */
function* base64Forms(bytes: Buffer): Generator<string> {
  const alone = bytes.toString('base64')
  yield alone
  const unpadded = alone.replace(/=+$/, '')
  if (unpadded.length >= shortestMasked) yield unpadded
  for (const shift of [0, 1, 2]) {
    const shifted = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64')
    const first = Math.ceil((shift * 8) / 6)
    const inner = shifted.slice(first, Math.floor(((shift + bytes.length) * 8) / 6))
    if (inner.length >= shortestShifted) yield inner
  }
}
