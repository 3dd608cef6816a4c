import type { SecretAccess, SecretSubjectType } from '@bey/contract'
import { secretAccesses, secretSubjectTypes } from '@bey/contract'
import { sql } from 'drizzle-orm'
import { check, foreignKey, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'

import { createdAt, organizationId, systemPolicy, tenantPolicy } from './columns.ts'
import { secrets } from './secrets.ts'
import { users } from './users.ts'

const oneOf = (values: readonly string[]) => sql.raw(`(${values.map((value) => `'${value}'`).join(', ')})`)

/** Who may use, read or manage a secret, beside owners and admins, who may all. */
export const secretGrants = pgTable(
  'secret_grants',
  {
    organizationId: organizationId(),
    secretId: uuid('secret_id').notNull(),
    subjectType: text('subject_type').$type<SecretSubjectType>().notNull(),
    /** A role, or the id of a user or of an API key. */
    subjectId: text('subject_id').notNull(),
    access: text('access').$type<SecretAccess>().notNull(),
    grantedBy: integer('granted_by').references(() => users.id, { onDelete: 'set null' }),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.organizationId, t.secretId, t.subjectType, t.subjectId] }),
    foreignKey({
      columns: [t.organizationId, t.secretId],
      foreignColumns: [secrets.organizationId, secrets.id],
    }).onDelete('cascade'),
    index('secret_grants_subject_idx').on(t.organizationId, t.subjectType, t.subjectId),
    index('secret_grants_granted_by_idx').on(t.grantedBy),
    check('secret_grants_subject_type_is_known', sql`${t.subjectType} in ${oneOf(secretSubjectTypes)}`),
    check('secret_grants_access_is_known', sql`${t.access} in ${oneOf(secretAccesses)}`),
    tenantPolicy(),
    systemPolicy(),
  ],
)
