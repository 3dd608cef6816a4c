import { readFile, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import type { Role } from '@bey/contract'
import pg from 'pg'

/** Gives a user of a running server another role in an organization, past the API: by the database in its data directory. */
export async function addMember(
  dataDir: string,
  member: { email: string; organizationId: number; role: Role },
): Promise<void> {
  const directory = await realpath(join(dataDir, 'postgres'))
  const [, , , port, socketDir] = (await readFile(join(directory, 'postmaster.pid'), 'utf8')).split('\n')
  const client = new pg.Client({
    host: socketDir,
    port: Number(port),
    user: 'bey',
    database: 'bey',
    password: (await readFile(join(dataDir, 'postgres.password'), 'utf8')).trim(),
  })
  await client.connect()
  try {
    await client.query(
      `with person as (update users set active_organization_id = $2 where email = $1 returning id)
       insert into memberships (organization_id, user_id, role) select $2, id, $3 from person
       on conflict (organization_id, user_id) do update set role = excluded.role`,
      [member.email, member.organizationId, member.role],
    )
  } finally {
    await client.end()
  }
}
