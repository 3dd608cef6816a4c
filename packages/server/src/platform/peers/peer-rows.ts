import { sql } from 'drizzle-orm'

import type { Db } from '../db/database.ts'
import { peerProtocol } from './protocol.ts'

/** `isFresh`: it wrote its heartbeat within the last 3 s. */
export type PeerRow = { id: string; address: string; isFresh: boolean }

/** Writes the heartbeat of this process, and answers the others that live and speak the same version. */
export async function beat(
  db: Db,
  own: { id: string; address: string; unreachable: readonly string[] },
): Promise<PeerRow[]> {
  const unreachable = JSON.stringify(own.unreachable)
  await db.execute(sql`
    insert into peers (id, address, protocol, unreachable)
    values (${own.id}, ${own.address}, ${peerProtocol},
      array(select jsonb_array_elements_text(${unreachable}::jsonb)))
    on conflict (id) do update set heartbeat_at = now(), unreachable = excluded.unreachable`)
  const { rows } = await db.execute<{ id: string; address: string; is_fresh: boolean }>(sql`
    select id, address, heartbeat_at > now() - interval '3 seconds' as is_fresh from peers
    where id <> ${own.id} and protocol = ${peerProtocol} and heartbeat_at > now() - interval '10 seconds'
    order by id limit 200`)
  return rows.map(({ id, address, is_fresh: isFresh }) => ({ id, address, isFresh }))
}

export async function leave(db: Db, id: string): Promise<void> {
  await db.execute(sql`delete from peers where id = ${id}`)
}
