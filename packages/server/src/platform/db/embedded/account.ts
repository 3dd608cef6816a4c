import { readFile } from 'node:fs/promises'
import { userInfo } from 'node:os'

/** The account under which the database server runs. PostgreSQL refuses to run as root. */
export type Account = {
  /** Undefined: as we are. */
  server: { uid: number; gid: number } | undefined
  /** initdb requires a user that has a name. */
  initdb: { uid: number; gid: number } | undefined
}

/** An id that no distribution hands out, for machines without a `postgres` user. */
const unusedId = 61_554

/** Picks the account: our own; for root the `postgres` user, or an unused id. */
export async function chooseAccount(): Promise<Account> {
  if (userInfo().uid !== 0) return { server: undefined, initdb: undefined }
  const users = await readUsers()
  const postgres = users.get('postgres')
  if (postgres !== undefined) return { server: postgres, initdb: postgres }
  return {
    server: { uid: unusedId, gid: unusedId },
    initdb: users.get('nobody') ?? { uid: 65_534, gid: 65_534 },
  }
}

async function readUsers(): Promise<Map<string, { uid: number; gid: number }>> {
  const users = new Map<string, { uid: number; gid: number }>()
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n')
  for (const line of lines) {
    const [name, , uid, gid] = line.split(':')
    if (name !== undefined && uid !== undefined && gid !== undefined) {
      users.set(name, { uid: Number(uid), gid: Number(gid) })
    }
  }
  return users
}
