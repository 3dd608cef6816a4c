import { listAt, numberAt, objectAt, textAt } from '../json.ts'
import type { KubeObject } from '../types.ts'
import { noteSize } from './object-size.ts'

const objectMark = Buffer.from(',"o":')
const keyMark = ',"k":'
const goneMark = ',"d":1}'

/** The line that says what an object has become; its head names it, so that a reader need not read all of it. */
export function writtenLine(kind: string, object: KubeObject, text: string): string {
  return `${head(kind, object.metadata.namespace, object.metadata.name, object.metadata.resourceVersion)},"o":${text}}`
}

/** The line that says that an object is gone. */
export function goneLine(
  kind: string,
  namespace: string | undefined,
  name: string,
  revision: number,
): string {
  return `${head(kind, namespace, name, String(revision))}${goneMark}`
}

function head(kind: string, namespace: string | undefined, name: string, revision: string): string {
  return `{"r":${revision},"k":"${kind}","n":${JSON.stringify([namespace ?? '', name])}`
}

/** The line that promises that no revision up to this one is handed out again. */
export function promiseLine(revision: number): string {
  return `{"v":${revision}}`
}

type Place = { bytes: Buffer; start: number; end: number }

/**
 * Gathers the lines of a journal and keeps for each object where its last state stands, so that the many states that
 * it had before are never parsed.
 */
export class Replay {
  readonly #last = new Map<string, Place>()
  revision = 0
  promised = 0

  add(bytes: Buffer, start: number, end: number): void {
    const mark = bytes.indexOf(objectMark, start)
    const headEnd = mark === -1 || mark > end ? end : mark
    // The head serves as a key: quicker read as Latin-1, and as good.
    const line = bytes.toString('latin1', start, headEnd)
    if (line.startsWith('{"v":')) {
      this.promised = Number(line.slice(5, -1))
      return
    }
    if (line.startsWith('{"k":')) return this.#addNameless(bytes, start, end)
    const keyStart = line.indexOf(keyMark)
    if (!line.startsWith('{"r":') || keyStart === -1)
      throw new SyntaxError(`Not a line of a journal: ${line}`)
    this.revision = Math.max(this.revision, Number(line.slice(5, keyStart)))
    if (headEnd !== end)
      this.#last.set(line.slice(keyStart), { bytes, start: mark + objectMark.length, end: end - 1 })
    else this.#last.delete(line.slice(keyStart, -goneMark.length))
  }

  /** Lines of the first releases name their object only within it. */
  #addNameless(bytes: Buffer, start: number, end: number): void {
    const line: unknown = JSON.parse(bytes.toString('utf8', start, end))
    const object = objectAt(line, 'o')
    const name = object
      ? [textAt(object, 'metadata', 'namespace') ?? '', textAt(object, 'metadata', 'name') ?? '']
      : listAt(line, 'd')
    const revision = object ? Number(textAt(object, 'metadata', 'resourceVersion')) : numberAt(line, 'r')
    const key = `${keyMark}"${textAt(line, 'k')}","n":${JSON.stringify(name)}`
    this.revision = Math.max(this.revision, revision ?? 0)
    const mark = bytes.indexOf(objectMark, start) + objectMark.length
    if (object) this.#last.set(key, { bytes, start: mark, end: end - 1 })
    else this.#last.delete(key)
  }

  /** Bytes of the objects that are left. */
  get bytes(): number {
    let sum = 0
    for (const { start, end } of this.#last.values()) sum += end - start
    return sum
  }

  /** The objects that are left of each kind, parsed as they are asked for. */
  kinds(): Map<string, Iterable<KubeObject>> {
    const places = new Map<string, Place[]>()
    for (const [key, place] of this.#last) {
      const kind = key.slice(keyMark.length + 1, key.indexOf('"', keyMark.length + 1))
      const list = places.get(kind)
      if (list) list.push(place)
      else places.set(kind, [place])
    }
    return new Map([...places].map(([kind, list]) => [kind, parsed(list)]))
  }
}

function* parsed(places: readonly Place[]): Generator<KubeObject> {
  for (const { bytes, start, end } of places) {
    const object: unknown = JSON.parse(bytes.toString('utf8', start, end))
    // Only the store writes journals, and it writes stored objects.
    const stored = object as KubeObject
    noteSize(stored, end - start)
    yield stored
  }
}
