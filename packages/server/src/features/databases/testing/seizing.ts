import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A function of an owner that runs a program on the machine whenever a superuser calls it. */
export async function seizing() {
  const dir = await mkdtemp(join(tmpdir(), 'bey-seizing-'))
  // Servers may run as another account.
  await chmod(dir, 0o777)
  const marker = join(dir, 'ran')
  return {
    sql: `create function public.seize() returns boolean language plpgsql as $f$ begin
      if (select rolsuper from pg_catalog.pg_roles where rolname = current_user) then
        copy (select 1) to program 'touch ${marker}';
      end if;
      return true; end $f$`,
    wasCalledBySuperuser: () => existsSync(marker),
    remove: () => rm(dir, { recursive: true, force: true }),
  }
}
