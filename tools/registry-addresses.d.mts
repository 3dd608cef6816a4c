type LockEntry = { version?: string; integrity?: string; resolved?: string; link?: boolean; name?: string }
type Lock = { packages: Record<string, LockEntry> }

export function withAddresses(lock: Lock, registry: string): Lock
export function withLock<T>(root: string, lock: Lock, work: () => Promise<T>): Promise<T>
