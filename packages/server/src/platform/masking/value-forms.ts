import { shortestLeaf } from './leaves.ts'

/** Base64 within a longer text begins at one of three places; what is left of a value then has to be telling. */
const shortestShifted = 8

/** How a text or bytes look in logs and replies, encoded as programs do; each form has at least four characters. */
export function* formsOf(content: string | Buffer): Generator<string> {
  for (const form of typeof content === 'string' ? textForms(content) : byteForms(content)) {
    if (form.length >= shortestLeaf) yield form
  }
}

function* textForms(text: string): Generator<string> {
  const normal = new Set([text, text.normalize('NFC'), text.normalize('NFD')])
  for (const each of normal) {
    yield each
    yield* percentForms(each)
    yield* jsonForms(each)
    yield* byteForms(Buffer.from(each))
    yield* htmlForms(each)
    yield* quotedForms(each)
  }
}

function* percentForms(text: string): Generator<string> {
  const encoded = encodeURIComponent(text.toWellFormed())
  // Python leaves the slash, RFC 3986 encodes five characters more, forms write a space as "+".
  const strict = encoded.replaceAll(/[!'()*]/g, percentByte)
  const form = new URLSearchParams([['', text]]).toString().slice(1)
  for (const each of [encoded, strict, strict.replaceAll('%2F', '/'), form, encoded.replaceAll('%20', '+')]) {
    yield each
    yield each.replaceAll(/%[0-9A-F]{2}/g, (byte) => byte.toLowerCase())
  }
  yield encodeURI(text.toWellFormed())
  yield encodeURIComponent(encoded)
}

function percentByte(char: string): string {
  return `%${char.charCodeAt(0).toString(16).toUpperCase()}`
}

function* jsonForms(text: string): Generator<string> {
  const json = JSON.stringify(text).slice(1, -1)
  // Some programs escape the slash, all that is not ASCII, or what HTML gives a meaning.
  const ascii = json.replaceAll(/[^\u0020-\u007e]/g, escaped)
  for (const each of [json, ascii, ascii.replaceAll(/[<>&]/g, escaped), json.replaceAll('/', '\\/')]) {
    yield each
    yield each.replaceAll(/\\u[0-9a-f]{4}/g, (code) => `\\u${code.slice(2).toUpperCase()}`)
    // JSON within JSON, as in a log line that contains a reply.
    yield JSON.stringify(each).slice(1, -1)
  }
}

function escaped(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
}

function* htmlForms(text: string): Generator<string> {
  if (!/[&<>"'/]/.test(text)) return
  const tags = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  yield tags
  yield tags.replaceAll('"', '&quot;')
  for (const single of ['&#39;', '&#039;', '&#x27;', '&apos;']) {
    yield tags.replaceAll('"', '&quot;').replaceAll("'", single)
    yield tags.replaceAll('"', '&#34;').replaceAll("'", single)
  }
  yield tags.replaceAll('"', '&quot;').replaceAll("'", '&#x27;').replaceAll('/', '&#x2F;')
}

/** Within quotes of shells, SQL, YAML and CSV, and with a backslash before each character that a shell reads. */
function* quotedForms(text: string): Generator<string> {
  if (!/[^\w./:@%+,-]/.test(text)) return
  yield text.replaceAll("'", String.raw`'\''`)
  yield text.replaceAll("'", `'"'"'`)
  yield text.replaceAll("'", "''")
  yield text.replaceAll('"', '""')
  yield text.replaceAll(/["\\$`]/g, String.raw`\$&`)
  yield text.replaceAll(/["\\$`!]/g, String.raw`\$&`)
  yield text.replaceAll(/[^\w./:@%+,\n-]/g, String.raw`\$&`)
  yield text
    .replaceAll('\\', '\\\\')
    .replaceAll("'", String.raw`\'`)
    .replaceAll('\n', String.raw`\n`)
}

function* byteForms(bytes: Buffer): Generator<string> {
  const hex = bytes.toString('hex')
  yield hex
  yield hex.toUpperCase()
  for (const form of base64Forms(bytes)) {
    yield form
    yield form.replaceAll('+', '-').replaceAll('/', '_')
    yield encodeURIComponent(form)
  }
}

/** Base64 of the bytes alone, and the part of it that is the same wherever they stand within longer bytes. */
function* base64Forms(bytes: Buffer): Generator<string> {
  const alone = bytes.toString('base64')
  yield alone
  yield alone.replace(/=+$/, '')
  for (const shift of [0, 1, 2]) {
    const shifted = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64')
    const first = Math.ceil((shift * 8) / 6)
    const inner = shifted.slice(first, Math.floor(((shift + bytes.length) * 8) / 6))
    if (inner.length >= shortestShifted) yield inner
  }
}
