import type { WorkflowDefinitionBody } from '@bey/contract'
import { and, desc, eq, inArray, ne, sql } from 'drizzle-orm'

import type { Db } from '../../../platform/db/database.ts'
import { type KeyRights, mayTouch } from '../../../platform/keys/key-rights.ts'
import { secretGrants } from '../../../tables/secret-grants.ts'
import { secrets } from '../../../tables/secrets.ts'
import { referencesOf } from './expressions/references.ts'
import { secretRemedy } from '../steps/key-bounds.ts'
import { stepForbidden } from '../steps/step-permissions.ts'

/**
 * Throws AppError `forbidden` for the first step that uses a secret although the API key neither reveals secrets nor was
 * granted the use of this one.
 */
export async function requireSecretsOfKey(
  db: Db,
  key: KeyRights,
  organizationId: number,
  { steps }: Pick<WorkflowDefinitionBody, 'steps'>,
): Promise<void> {
  const checked = new Set<string>()
  for (const step of steps) {
    for (const { name } of referencesOf(step).secrets) {
      if (checked.has(name)) continue
      checked.add(name)
      const secret = await findSecret(db, key, organizationId, name)
      if (secret === undefined || secret.isGranted || reveals(key, secret.id)) continue
      const reason = `The API key "${key.name}" may not use the secret "${secret.name}". ${secretRemedy}`
      throw stepForbidden(step.name, reason)
    }
  }
}

function reveals(key: KeyRights, id: string): boolean {
  return key.permissions.has('secrets.reveal') && mayTouch({ key }, [{ type: 'secret', id }])
}

/** The secret of this name, or else the one whose name stands before a dot of it, the longest first. */
async function findSecret(db: Db, key: KeyRights, organizationId: number, name: string) {
  const parts = name.split('.')
  const names = parts.map((_, index) => parts.slice(0, index + 1).join('.'))
  const [found] = await db
    .select({
      id: secrets.id,
      name: secrets.name,
      isGranted: sql<boolean>`exists (select 1 from ${secretGrants} g where g.organization_id = ${organizationId}
        and g.secret_id = ${secrets.id} and g.subject_type = 'api_key' and g.subject_id = ${key.id})`,
    })
    .from(secrets)
    .where(
      and(
        eq(secrets.organizationId, organizationId),
        inArray(secrets.name, names),
        ne(secrets.status, 'deleted'),
      ),
    )
    .orderBy(desc(sql`length(${secrets.name})`))
    .limit(1)
  return found
}
