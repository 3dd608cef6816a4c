import type { KubeObject } from '../types.ts'

const sizes = new WeakMap<KubeObject, number>()

/** Remembers how many bytes an object's JSON takes on disk. */
export function noteSize(object: KubeObject, bytes: number): void {
  sizes.set(object, bytes)
}

/** Bytes of an object's JSON; counted for one that is not stored yet. */
export function sizeOf(object: KubeObject): number {
  return sizes.get(object) ?? Buffer.byteLength(JSON.stringify(object))
}
