/** Shorter values stand in ordinary words; anyone who records them leaves out the whole field. */
const shortestMasked = 4
/** A line of a longer value, such as a key in PEM, is masked by itself from this length on. */
const shortestLine = 12
/** Base64 within a longer text begins at one of three places; what is left of a value then has to be telling. */
const shortestShifted = 8

/** A value as it appears in logs and replies: each form has at least four characters. */
export function* formsOf(value: string): Generator<string> {
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
