import type { ServerResponse } from 'node:http'

// As the API server's own filter has it (k8s.io/apiserver, endpoints/filters/warning.go): clients refuse replies whose
// headers are too long.
const maxTotal = 4 * 1024
const maxEach = 256

type SentWarnings = { texts: Set<string>; length: number; isCutting: boolean }

const warningsOf = new WeakMap<ServerResponse, SentWarnings>()

/** A warning that kubectl prints; each once, cut where they grow too long together, and left out where that is full. */
export function warn(response: ServerResponse, text: string): void {
  const sent = warningsOf.get(response) ?? { texts: new Set<string>(), length: 0, isCutting: false }
  warningsOf.set(response, sent)
  if (text === '' || sent.texts.has(text)) return
  if (!sent.isCutting && sent.length + text.length > maxTotal) {
    response.removeHeader('Warning')
    Object.assign(sent, { length: 0, isCutting: true })
    for (const earlier of sent.texts) append(response, sent, earlier)
  }
  if (append(response, sent, text)) sent.texts.add(text)
}

/** False where there is no more room. */
function append(response: ServerResponse, sent: SentWarnings, text: string): boolean {
  const shown = sent.isCutting ? text.slice(0, maxEach) : text
  if (sent.length + shown.length > maxTotal) return false
  const quoted = shown.replaceAll(/["\\]/g, (mark) => `\\${mark}`).replaceAll(/[^\x20-\x7e]/g, '?')
  response.appendHeader('Warning', `299 - "${quoted}"`)
  sent.length += shown.length
  return true
}
