import type { Client } from 'pg'

import { AppError } from '../../../platform/errors.ts'

/**
 * Refuses to read as a user whose statements can act outside the database: a transaction that is read only keeps a
 * superuser neither from COPY … TO PROGRAM nor from writing files. Throws AppError `conflict`.
 */
export async function requireHarmless(client: Client, name: string): Promise<void> {
  const { rows } = await client.query<{ user: string; powerful: boolean }>(
    `select current_user as user,
            rolsuper or pg_has_role(oid, 'pg_execute_server_program', 'member')
                     or pg_has_role(oid, 'pg_write_server_files', 'member') as powerful
       from pg_roles where rolname = current_user`,
  )
  const [found] = rows
  if (found?.powerful !== true) return
  throw new AppError(
    'conflict',
    `The user "${found.user}" of the database "${name}" may run programs and write files on its server, which no read-only transaction prevents. Connect with a user who may only read, or let an admin allow writing.`,
  )
}
