/** A socket that is open and has not authenticated yet. */
export type AnonymousSocket = { close(): void }

export type AnonymousBounds = { perAddress: number; inAll: number }

const anonymousBounds: AnonymousBounds = { perAddress: 100, inAll: 1_000 }

/**
 * Holds a bounded number of sockets that have not authenticated. One too many closes the oldest one of the address
 * that has most: a client authenticates within moments, so waiting sockets cannot lock others out.
 */
export function createAnonymousSockets(bounds: AnonymousBounds = anonymousBounds) {
  const byAddress = new Map<string, Set<AnonymousSocket>>()
  let count = 0

  function remove(address: string, stranger: AnonymousSocket): void {
    const there = byAddress.get(address)
    if (!there?.delete(stranger)) return
    count -= 1
    if (there.size === 0) byAddress.delete(address)
  }

  function closeOldest(address: string): void {
    const [oldest] = byAddress.get(address) ?? []
    if (oldest === undefined) return
    remove(address, oldest)
    oldest.close()
  }

  function addressWithMostSockets(): string {
    let found = ''
    let most = 0
    for (const [address, { size }] of byAddress) {
      if (size > most) [found, most] = [address, size]
    }
    return found
  }

  return {
    /** The returned function removes the socket; it may be called more than once. */
    add(address: string, stranger: AnonymousSocket): () => void {
      const there = byAddress.get(address)
      if (there !== undefined && there.size >= bounds.perAddress) closeOldest(address)
      else if (count >= bounds.inAll) closeOldest(addressWithMostSockets())
      const set = byAddress.get(address) ?? new Set()
      byAddress.set(address, set.add(stranger))
      count += 1
      return () => remove(address, stranger)
    },
    count: () => count,
  }
}
