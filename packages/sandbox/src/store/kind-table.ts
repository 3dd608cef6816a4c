import type { KubeObject } from '../types.ts'

type Index = { of: (object: KubeObject) => readonly string[]; entries: Map<string, Set<KubeObject>> }

function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** The objects of one kind, found by namespace and name or by an index. */
export class KindTable {
  readonly #namespaces = new Map<string, Map<string, KubeObject>>()
  readonly #indexes = new Map<string, Index>()
  #sorted: [namespace: string, name: string][] | undefined
  #size = 0
  #unread: Iterator<KubeObject> | undefined

  get size(): number {
    this.readOn()
    return this.#size
  }

  /** Takes objects that are read when somebody first asks for any, or bit by bit by `readOn`. */
  readLater(objects: Iterator<KubeObject>): void {
    this.#unread = objects
  }

  /** Reads all, or so many, of what was left for later. Returns whether there is more. */
  readOn(most = Infinity): boolean {
    const objects = this.#unread
    if (!objects) return false
    this.#unread = undefined
    for (let i = 0; i < most; i++) {
      const { done, value } = objects.next()
      if (done) return false
      this.set(value)
    }
    this.#unread = objects
    return true
  }

  get(namespace: string, name: string): KubeObject | undefined {
    this.readOn()
    return this.#namespaces.get(namespace)?.get(name)
  }

  set(object: KubeObject): void {
    this.readOn()
    const namespace = object.metadata.namespace ?? ''
    const names = this.#namespaces.get(namespace) ?? new Map<string, KubeObject>()
    this.#namespaces.set(namespace, names)
    const old = names.get(object.metadata.name)
    if (old) this.#unindex(old)
    else {
      this.#size += 1
      this.#sorted = undefined
    }
    names.set(object.metadata.name, object)
    for (const index of this.#indexes.values()) insert(index, object)
  }

  delete(namespace: string, name: string): KubeObject | undefined {
    this.readOn()
    const names = this.#namespaces.get(namespace)
    const old = names?.get(name)
    if (!names || !old) return undefined
    names.delete(name)
    if (names.size === 0) this.#namespaces.delete(namespace)
    this.#size -= 1
    this.#sorted = undefined
    this.#unindex(old)
    return old
  }

  /** Sorted by namespace, then name, as etcd has them. */
  list(namespace?: string): KubeObject[] {
    this.readOn()
    if (namespace !== undefined) {
      const names = [...(this.#namespaces.get(namespace) ?? [])]
      return names.toSorted(([a], [b]) => byText(a, b)).map(([, object]) => object)
    }
    this.#sorted ??= [...this.#namespaces]
      .toSorted(([a], [b]) => byText(a, b))
      .flatMap(([place, names]) =>
        [...names.keys()].toSorted(byText).map((name): [string, string] => [place, name]),
      )
    const found: KubeObject[] = []
    for (const [place, name] of this.#sorted) {
      const object = this.#namespaces.get(place)?.get(name)
      if (object) found.push(object)
    }
    return found
  }

  addIndex(name: string, of: Index['of']): void {
    const index: Index = { of, entries: new Map() }
    this.#indexes.set(name, index)
    for (const object of this.list()) insert(index, object)
  }

  indexed(name: string, value: string): KubeObject[] {
    return [...(this.#indexes.get(name)?.entries.get(value) ?? [])]
  }

  #unindex(object: KubeObject): void {
    for (const index of this.#indexes.values()) {
      for (const value of index.of(object)) {
        const set = index.entries.get(value)
        set?.delete(object)
        if (set?.size === 0) index.entries.delete(value)
      }
    }
  }
}

function insert(index: Index, object: KubeObject): void {
  for (const value of index.of(object)) {
    const set = index.entries.get(value) ?? new Set()
    set.add(object)
    index.entries.set(value, set)
  }
}
