import { builtInKinds } from './built-in.ts'
import { convertedKinds } from './converted.ts'
import { apiVersionOf, type Kind } from './kind.ts'

/** All kinds that the API serves at this moment; custom ones come and go. */
export class Registry {
  readonly #byPath = new Map<string, Kind>()
  readonly #byKey = new Map<string, Kind>()
  readonly #byType = new Map<string, Kind>()
  /** Grows with every change, so that discovery documents can be cached. */
  version = 1

  constructor() {
    for (const kind of [...builtInKinds, ...convertedKinds]) this.#insert(kind)
  }

  /** The kind behind `/apis/{group}/{version}/{resource}`. */
  at(group: string, version: string, resource: string): Kind | undefined {
    return this.#byPath.get(`${group}/${version}/${resource}`)
  }

  /** The kind, in its stored version, whose objects lie under this key of the store. */
  stored(key: string): Kind {
    const kind = this.#byKey.get(key)
    if (!kind) throw new Error(`There is no kind ${key}.`)
    return kind
  }

  byKey(key: string): Kind | undefined {
    return this.#byKey.get(key)
  }

  byType(apiVersion: string, kind: string): Kind | undefined {
    return this.#byType.get(`${apiVersion}/${kind}`)
  }

  all(): Kind[] {
    return [...this.#byPath.values()]
  }

  hasGroupVersion(group: string, version: string): boolean {
    return this.all().some((kind) => kind.group === group && kind.version === version)
  }

  /** Makes a custom kind known in all its versions, the stored one last so that it wins the key. */
  add(kinds: Kind[]): void {
    for (const kind of kinds) this.#insert(kind)
    this.version += 1
  }

  removeKey(key: string): void {
    for (const [path, kind] of this.#byPath) {
      if (kind.key !== key) continue
      this.#byPath.delete(path)
      this.#byType.delete(`${apiVersionOf(kind)}/${kind.kind}`)
    }
    this.#byKey.delete(key)
    this.version += 1
  }

  #insert(kind: Kind): void {
    this.#byPath.set(`${kind.group}/${kind.version}/${kind.resource}`, kind)
    this.#byType.set(`${apiVersionOf(kind)}/${kind.kind}`, kind)
    if (!kind.convert) this.#byKey.set(kind.key, kind)
  }
}
