/** Which nodes are switched off: nothing on them moves and they send no heartbeat. */
export type PowerSwitch = { isOff(node: string): boolean; onChange(listener: (node: string) => void): void }

export type NodePower = PowerSwitch & { stop(node: string): void; start(node: string): void; off(): string[] }

export function createPower(initiallyOff: readonly string[] = []): NodePower {
  const off = new Set(initiallyOff)
  const listeners = new Set<(node: string) => void>()
  const notify = (node: string) => {
    for (const listener of listeners) listener(node)
  }
  return {
    isOff: (node) => off.has(node),
    onChange: (listener) => {
      listeners.add(listener)
    },
    stop(node) {
      off.add(node)
      notify(node)
    },
    start(node) {
      off.delete(node)
      notify(node)
    },
    off: () => [...off],
  }
}
