import type { ServerResponse } from 'node:http'

// As the API server's own filter has it (k8s.io/apiserver, endpoints/filters/warning.go): clients refuse replies whose
// headers are too long.
const maxTotal = 4 * 1024
const maxEach = 256

type Told = { texts: Set<string>; length: number; isCutting: boolean }

const toldWith = new WeakMap<ServerResponse, Told>()

/** A warning that kubectl prints; each once, cut where they grow too long together, and left out where that is full. */
export function warn(response: ServerResponse, text: string): void {
  const told = toldWith.get(response) ?? { texts: new Set<string>(), length: 0, isCutting: false }
  toldWith.set(response, told)
  if (text === '' || told.texts.has(text)) return
  if (!told.isCutting && told.length + text.length > maxTotal) {
    response.removeHeader('Warning')
    Object.assign(told, { length: 0, isCutting: true })
    for (const earlier of told.texts) append(response, told, earlier)
  }
  if (append(response, told, text)) told.texts.add(text)
}

/** False where there is no more room. */
function append(response: ServerResponse, told: Told, text: string): boolean {
  const shown = told.isCutting ? text.slice(0, maxEach) : text
  if (told.length + shown.length > maxTotal) return false
  const quoted = shown.replaceAll(/["\\]/g, (mark) => `\\${mark}`).replaceAll(/[^\x20-\x7e]/g, '?')
  response.appendHeader('Warning', `299 - "${quoted}"`)
  told.length += shown.length
  return true
}
