/** A value for `Idempotency-Key`. `randomUUID` exists on https and localhost only. */
export function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('')
}
