import type { Fault, SandboxUsage } from '@bey/contract'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'

import type { ClusterConnection, FaultPort } from '../../features/clusters/provider.ts'
import { adminOf } from './admin.ts'
import { sandboxesIn } from './budget.ts'
import { runningPid } from './child.ts'
import { directoryOf, filesOf } from './directory-and-port.ts'

const usageTimeoutMs = 5_000
const faultTimeoutMs = 15_000

/** What one sandbox says that it takes. Throws when it does not answer. */
export function usageOf(connection: Omit<ClusterConnection, 'impersonate'>): Promise<SandboxUsage> {
  return asking(connection, usageTimeoutMs, (admin) => admin.call<SandboxUsage>('GET', '/sandbox/v1/status'))
}

type FaultList = { faults: Fault[] }

/** What can be broken in a sandbox, over its own API. */
export const faultPort: FaultPort = {
  async list(connection) {
    const path = '/sandbox/v1/faults'
    const reply = await asking(connection, faultTimeoutMs, (admin) => admin.call<FaultList>('GET', path))
    return reply.faults
  },
  apply: (connection, id) => switchFault(connection, id, 'apply'),
  end: (connection, id) => switchFault(connection, id, 'end'),
}

async function switchFault(connection: ClusterConnection, id: string, action: 'apply' | 'end') {
  const reply = await asking(connection, faultTimeoutMs, (admin) =>
    admin.call<FaultList>('POST', '/sandbox/v1/faults', { id, action }),
  )
  return reply.faults
}

async function asking<T>(
  connection: Omit<ClusterConnection, 'impersonate'>,
  timeoutMs: number,
  ask: (admin: ReturnType<typeof adminOf>) => Promise<T>,
): Promise<T> {
  const admin = adminOf(connection, AbortSignal.timeout(timeoutMs))
  try {
    return await ask(admin)
  } finally {
    admin.close()
  }
}

/** Resident memory and disk of every sandbox below a directory. */
export async function usedIn(root: string): Promise<{ usedMemoryBytes: number; usedDiskBytes: number }> {
  const used = await Promise.all(
    (await sandboxesIn(root)).map(async (id) => {
      const dir = directoryOf(root, id)
      const pid = await runningPid(filesOf(dir))
      return { memory: pid === undefined ? 0 : await residentBytes(pid), disk: await diskBytes(dir) }
    }),
  )
  return {
    usedMemoryBytes: used.reduce((sum, { memory }) => sum + memory, 0),
    usedDiskBytes: used.reduce((sum, { disk }) => sum + disk, 0),
  }
}

/** 0 for a process that is gone, and where there is no /proc. */
async function residentBytes(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(text)?.[1] ?? 0) * 1024
}

async function diskBytes(dir: string): Promise<number> {
  const names = await readdir(dir).catch(() => [])
  const sizes = await Promise.all(
    // A file may be gone by now: journals are compacted.
    names.map((name) =>
      stat(join(dir, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}
